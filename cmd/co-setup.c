/* co-setup: set up an agent or git to use co. */
#include "agent/setup.h"
#include "cli/cli.h"
#include "cli/stores.h"
#include "setup/setup-git.h"

static bool project, print, removing, yes;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "project", &project, NULL, NULL,
	 "set it up for this project instead of for you"},
	{OPT_FLAG, 0, "print", &print, NULL, NULL,
	 "print what would be written, and write nothing"},
	{OPT_FLAG, 0, "remove", &removing, NULL, NULL,
	 "take out what was written"},
	{OPT_FLAG, 'y', "yes", &yes, NULL, NULL, "do not ask"},
	OPT_QUIET,
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"% [--project] [--remove] [-y] [-q]",
	"[%] [--project] --print",
	"git [--remove] [--print] [-y] [-q]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-setup",
	.summary = "set up an agent, or git, to use co",
	.synopsis = synopsis,
	.operands = "[%|git]",
	.names = agent_names,
	.opts = opts,
};

static int print_generic(const char *argv0)
{
	struct buf text = {0}, program = {0};

	if (project || !setup_program(&program, argv0))
		buf_adds(&program, "co");
	config_generic(&text, program.p);
	cli_out(text.p, text.len);
	buf_release(&text);
	buf_release(&program);
	return cli_finish(0);
}

static bool confirm_write(void)
{
	int answer = 'y';

	if (!yes && cli_on_terminal())
		answer = cli_ask("Write this? [y/N] ");
	else if (!yes)
		answer = 0;
	if (answer != 'y') {
		cli_note("nothing was written");
		if (!cli_on_terminal())
			cli_hint("nobody can be asked here: give -y to write");
	}
	return answer == 'y';
}

static void write_files(const struct setup *s)
{
	struct err e;

	for (size_t i = 0; i < s->n; i++) {
		const struct setup_file *f = &s->files[i];

		if (!setup_changes(f))
			continue;
		if (setup_apply(s, f, &e) < 0) {
			cli_complain(&e);
			continue;
		}
		if (setup_rewrites(f))
			cli_outf("✓ %s %s\n", f->gone ? "Removed" : "Wrote",
				 f->path);
		else
			cli_outf("✓ Removed %s" SETUP_BACKUP "\n", f->path);
		if (f->backup || f->stale)
			cli_note("what it was %s in '%s" SETUP_BACKUP "'",
				 f->stale ? "before stays" : "is kept",
				 f->path);
	}
}

/* Print what the user must do after the setup. */
static void print_advice(const struct agent *agent, const char *argv0)
{
	const char *hint = project ? agent->project_hint : agent->user_hint;
	const enum setup_state other = setup_look(agent, !project, argv0);

	if (agent_has_hooks(agent) &&
	    (other == SETUP_WHOLE || other == SETUP_OTHER))
		cli_hint("%s is set up for you and for the project: its hooks "
			 "run twice, so remove one",
			 agent->name);
	if (agent->hint)
		cli_hint("%s", agent->hint);
	if (hint)
		cli_hint("%s", hint);
}

static int run_agent(const struct agent *agent, const char *argv0)
{
	const enum setup_what what = removing ? SETUP_DROP : SETUP_PUT;
	struct buf text = {0};
	struct setup s;
	struct err e;
	int status = ERR_NONE;
	size_t n;

	if (setup_find(&s, agent, project, argv0, &e) < 0 ||
	    (print ? setup_print(&s, &text, &e) : setup_plan(&s, what, &e)) < 0)
		cli_die(&e);
	n = print ? 0 : setup_show(&s, &text);
	cli_out_text(buf_str(&text), text.len);
	if (!print && !n) {
		cli_note("%s: %s", agent->name,
			 removing ? "nothing of co is there"
				  : "set up already");
	} else if (n && !confirm_write()) {
		status = ERR_NO;
	} else if (n) {
		write_files(&s);
		if (!removing && !cli_failed())
			print_advice(agent, argv0);
	}
	buf_release(&text);
	setup_release(&s);
	return cli_finish(status);
}

static void print_done(void *ctx, const char *what)
{
	(void)ctx;
	cli_outf("✓ %s %s\n", removing ? "Taken out of" : "Set up in", what);
}

static int run_git(const char *argv0)
{
	struct setup_git *g;
	struct store s;
	struct buf text = {0};
	struct err e;
	int status = ERR_NONE;

	cli_open_store(&s, false);
	if (setup_git_plan(&g, &s, removing, argv0, &e) < 0)
		cli_die(&e);
	setup_git_show(g, &text);
	cli_out_text(buf_str(&text), text.len);
	if (!text.len)
		cli_note("git: %s", removing ? "nothing of co is there"
					     : "set up already");
	else if (!print && !confirm_write())
		status = ERR_NO;
	else if (!print && setup_git_apply(g, print_done, NULL, &e) < 0)
		cli_complain(&e);
	else if (!print && !removing && setup_git_shares(g))
		cli_hint("'git add .co-cli' and commit: each clone runs 'co "
			 "setup git' once");
	buf_release(&text);
	setup_git_free(g);
	store_close(&s);
	return cli_finish(status);
}

int main(int argc, char **argv)
{
	char *argv0 = argv[0];
	const struct agent *agent;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (n && !strcmp(operands[0], "git") && !project)
		return run_git(argv0);
	if (print && (removing || yes))
		cli_usage("--print goes without --remove and -y");
	if (!n && print)
		return print_generic(argv0);
	if (!n)
		cli_usage("expected an agent, %s, or git", agent_names());
	agent = agent_find(operands[0]);
	if (!agent)
		cli_usage("no agent '%s': expected %s or git; --print is for "
			  "all others",
			  operands[0], agent_names());
	return run_agent(agent, argv0);
}
