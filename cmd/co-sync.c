/* co-sync: exchange memories with a remote git repository. */
#include "cli/out.h"
#include "cli/stores.h"
#include "format/json-write.h"
#include "sync/sync.h"

static bool user, project, dry, json;

static const struct opt opts[] = {
	FLAG(0, "user", &user, "sync the user store (the default)"),
	{.kind = OPT_OR},
	FLAG(0, "global", &user, "the same as --user"),
	{.kind = OPT_OR},
	FLAG(0, "project", &project, "sync the store of the project"),
	OPT_DRY_RUN(&dry),
	FLAG(0, "json", &json, "print the result as JSON"),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-sync",
	.summary = "exchange memories with a git remote",
	.opts = opts,
};

static void print_note(void *ctx, const char *what)
{
	(void)ctx;
	cli_note("%s", what);
}

static void print_json(const struct sync *s)
{
	struct buf out = {0};

	json_write_open(&out, NULL, '{');
	json_write_text(&out, "remote", s->remote);
	json_write_text(&out, "branch", s->branch);
	json_write_int(&out, "sent", (int64_t)s->sent);
	json_write_int(&out, "received", (int64_t)s->received);
	json_write_int(&out, "left", (int64_t)s->left);
	json_write_int(&out, "unsent_commits", (int64_t)s->foreign);
	out_json(&out);
}

static void print_result(const struct sync *s)
{
	const size_t sent = s->foreign ? 0 : s->sent;
	const size_t kept = s->sent - sent;

	if (json)
		print_json(s);
	else if (s->left)
		cli_note("%zu file%s, and nothing was sent", s->left,
			 s->left == 1 ? " has conflicts" : "s have conflicts");
	else if (sent || s->received)
		cli_outf("✓ %s %zu file%s, received %zu (%s/%s)\n",
			 dry ? "Would send" : "Sent", sent,
			 sent == 1 ? "" : "s", s->received, s->remote,
			 s->branch);
	else if (s->pushed)
		cli_outf("✓ %s settings or commits, but no memory (%s/%s)\n",
			 dry ? "Would send" : "Sent", s->remote, s->branch);
	else if (!kept)
		cli_outf("✓ Up to date with %s/%s\n", s->remote, s->branch);
	if (s->left) {
		cli_hint("'co resolve%s --ours' or '--theirs' takes one side",
			 project ? "" : " --global");
		cli_hint("or edit it before 'co resolve%s'; then sync again",
			 project ? "" : " --global");
	}
	if (kept) {
		cli_note("%zu file%s not sent to %s/%s: %zu commit%s files "
			 "outside the store, too",
			 kept, kept == 1 ? " is" : "s are", s->remote,
			 s->branch, s->foreign,
			 s->foreign == 1 ? " changes" : "s change");
		cli_hint("'git push' sends all");
	}
}

int main(int argc, char **argv)
{
	struct store store;
	struct sync s = {.store = &store, .say = print_note};
	struct err e;
	int n, r;

	cli_start(&cmd, argc, argv, &n);
	if (user && project)
		cli_usage("--user and --project exclude each other");
	s.dry = dry;
	cli_open_store(&store, !project);
	r = sync_run(&s, &e);
	if (r < 0)
		cli_complain(&e);
	else
		print_result(&s);
	if (r < 0 && e.code == ERR_NO)
		cli_hint(
			s.hidden
				? "'git check-ignore -v .co-cli' names the rule"
			: project ? "'git remote add' names one"
				  : "'co setup git --user URL' makes one");
	if (r < 0 && e.code == ERR_NO && !s.hidden && !project)
		cli_hint("'co sync --project' syncs the project store");
	sync_release(&s);
	store_close(&store);
	return cli_finish(r == 0 || (r > 0 && s.foreign && s.sent) ? ERR_NO
								   : ERR_NONE);
}
