/* co-index-push: send the documents of a commit to a remote index. */
#include "cli/out.h"
#include "cli/stores.h"
#include "format/json-write.h"
#include "remote/remote.h"

static const char *commit = "HEAD";
static bool dry, force, json;

static const struct opt opts[] = {
	{OPT_STR, 0, "commit", &commit, "ID", NULL,
	 "send the documents of commit ID; default: HEAD"},
	OPT_DRY_RUN(&dry),
	FLAG(0, "force", &force, "replace the documents of another history"),
	FLAG(0, "json", &json, "print the result as JSON"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-index-push",
	.summary = "send the documents of a commit to a remote index",
	.opts = opts,
};

static void print_plan(void *ctx, const char *what, bool added)
{
	(void)ctx;
	cli_outf("%c ", added ? '+' : '-');
	cli_out_text(what, strlen(what));
	cli_outs("\n");
}

static void print_json(const struct remote_push *p, bool changed)
{
	struct buf out = {0};

	json_write_open(&out, NULL, '{');
	json_write_text(&out, "project", p->project);
	json_write_text(&out, "commit", p->commit);
	json_write_text(&out, "as_of", p->at);
	json_write_text(&out, "digest", p->digest);
	json_write_size(&out, "documents", p->documents);
	json_write_size(&out, "added", p->added);
	json_write_size(&out, "removed", p->removed);
	json_write_size(&out, "withheld", p->withheld);
	json_write_bool(&out, "changed", changed && !dry);
	out_json(&out);
}

static void print_result(const struct remote_push *p, bool changed)
{
	if (json)
		print_json(p, changed);
	else if (!dry)
		cli_outf(
			"%s: %zu document%s of %.12s, %zu added, %zu removed\n",
			p->project, p->documents, p->documents == 1 ? "" : "s",
			p->commit, p->added, p->removed);
}

int main(int argc, char **argv)
{
	struct store store;
	struct remote remote;
	struct remote_push p = {.store = &store, .report = cli_complaints()};
	struct err e;
	int n, r;

	cli_start(&cmd, argc, argv, &n);
	cli_open_store(&store, false);
	if (remote_open(&remote, argv[0], &cli_arena, cli_report(), &e) < 0)
		cli_die(&e);
	p.rev = commit;
	p.dry = dry;
	p.force = force;
	p.plan = dry && !json ? print_plan : NULL;
	r = remote_push(&p, &remote, &e);
	if (r < 0)
		cli_complain(&e);
	else
		print_result(&p, r);
	remote_push_release(&p);
	store_close(&store);
	return cli_finish(ERR_NONE);
}
