/* co-setup: write co into an agent's configuration */
#include "agent/setup.h"
#include "cli/cli.h"
#include "text/diff.h"

static bool project, print, removing, yes;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "project", &project, NULL, NULL,
	 "set it up for this project instead of for you"},
	{OPT_FLAG, 0, "print", &print, NULL, NULL,
	 "print what would be written, and write nothing"},
	{OPT_FLAG, 0, "remove", &removing, NULL, NULL,
	 "take out what was written"},
	{OPT_FLAG, 'y', "yes", &yes, NULL, NULL, "do not ask"},
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"claude|codex|gemini|opencode [--project] [--remove] [-y]",
	"[claude|codex|gemini|opencode] [--project] --print",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-setup",
	.summary = "write co into an agent's configuration",
	.synopsis = synopsis,
	.operands = "[claude|codex|gemini|opencode]",
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

/* What each file of S would hold, had it nothing else. */
static void print_files(const struct setup *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct buf text = {0};
		struct err e;

		if (config_put(&text, &s->files[i].config, &e) < 0)
			cli_die(&e);
		cli_outf("%s==> %s <==\n", i ? "\n" : "", s->files[i].path);
		cli_out(text.p, text.len);
		buf_release(&text);
	}
}

/* Show how the files change: how many do. */
static size_t show(const struct setup *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct setup_file *f = &s->files[i];
		struct buf text = {0};

		n += setup_changes(f);
		if (!setup_rewrites(f))
			continue;
		buf_addf(&text, "--- %s\n+++ %s\n",
			 f->existed ? f->path : "/dev/null",
			 f->gone ? "/dev/null" : f->path);
		diff_lines(&text, &f->was, &f->now);
		cli_out_text(text.p, text.len);
		buf_release(&text);
	}
	return n;
}

static bool may_write(void)
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

static void apply(const struct setup *s)
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

/* What is left for the user to do. */
static void advise(enum agent agent, const char *argv0)
{
	const enum setup_state other = setup_look(agent, !project, argv0);

	if (agent != AGENT_OPENCODE &&
	    (other == SETUP_WHOLE || other == SETUP_OTHER))
		cli_hint("%s is set up for you and for the project: its hooks "
			 "run twice, so remove one",
			 agent_name(agent));
	if (agent == AGENT_CLAUDE && project)
		cli_hint("claude asks each user once before it starts the "
			 "server of a project");
	if (agent == AGENT_CODEX)
		cli_hint("codex runs hooks once you trust them: type /hooks "
			 "there");
	if (agent == AGENT_CODEX && project)
		cli_hint("codex reads a project's configuration once you trust "
			 "the project");
	if (agent == AGENT_GEMINI && project)
		cli_hint("gemini reads a project's configuration once you "
			 "trust the folder");
}

static int run(enum agent agent, const char *argv0)
{
	const enum setup_what what = removing ? SETUP_DROP : SETUP_PUT;
	struct setup s;
	struct err e;
	int status = ERR_NONE;

	if (setup_find(&s, agent, project, argv0, &e) < 0 ||
	    (!print && setup_plan(&s, what, &e) < 0))
		cli_die(&e);
	if (print) {
		print_files(&s);
	} else if (!show(&s)) {
		cli_note("%s: %s", agent_name(agent),
			 removing ? "nothing of co is there"
				  : "set up already");
	} else if (!may_write()) {
		status = ERR_NO;
	} else {
		apply(&s);
		if (!removing && !cli_failed())
			advise(agent, argv0);
	}
	setup_release(&s);
	return cli_finish(status);
}

int main(int argc, char **argv)
{
	char *argv0 = argv[0];
	enum agent agent;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (print && (removing || yes))
		cli_usage("--print goes without --remove and -y");
	if (!n && print)
		return print_generic(argv0);
	if (!n)
		cli_usage("which agent? claude, codex, gemini or opencode");
	if (!agent_find(operands[0], &agent))
		cli_usage("no agent '%s': expected claude, codex, gemini or "
			  "opencode; --print is for all others",
			  operands[0]);
	return run(agent, argv0);
}
