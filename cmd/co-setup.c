/* co-setup: set up an agent or git to use co. */
#include "cli/out.h"
#include "cli/setup-agent.h"
#include "cli/stores.h"
#include "setup/setup-git.h"
#include "sync/sync.h"

static bool project, user, print, removing, yes;
static const char *url; /* of the remote of the user store, or NULL */

static const struct opt opts[] = {
	FLAG(0, "project", &project,
	     "set it up for this project instead of for you"),
	FLAG(0, "user", &user,
	     "with git, set up the user store as a repository"),
	FLAG('n', "print", &print,
	     "print the configuration without writing it"),
	FLAG(0, "remove", &removing, "remove the configuration"),
	FLAG('y', "yes", &yes, "do not ask"),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-setup",
	.summary = "set up an agent, or git, to use co",
	.synopsis = "\n"
		    "% [--project] [--remove] [-y] [-q]\n"
		    "[%] [--project] --print\n"
		    "git [--remove] [-y] [-q]\n"
		    "git --user [--remove] [-y] [-q] [URL]\n"
		    "git --print\n"
		    "git --user --print [URL]",
	.operands = "[%|git [URL]]",
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

static int print_agent(const struct agent *agent, const char *argv0)
{
	struct buf text = {0};
	struct setup s;
	struct err e;

	if (setup_find(&s, agent, project, argv0, &e) < 0 ||
	    setup_print(&s, &text, &e) < 0)
		cli_die(&e);
	out_buf(&text);
	setup_release(&s);
	return cli_finish(0);
}

static void print_done(void *ctx, const char *what)
{
	(void)ctx;
	setup_agent_print_done(removing, what);
}

/* Show COMMANDS or TEXT, which tells a person what they do, and NOTE, unless it is NULL;
 * on request COMMANDS. Return true if they are to be made. *STATUS is the exit status:
 * ERR_NO if the person declined. */
static bool agrees(const struct buf *commands, const struct buf *text,
		   const char *note, int *status)
{
	const struct buf *shown = print ? commands : text;
	const char *what;

	if (commands->len)
		cli_out_text(buf_str(shown), shown->len);
	if (note && !cli_quiet)
		cli_note("%s", note);
	*status = ERR_NONE;
	what = arena_printf(&cli_arena, "git%s%s%s%s", user ? " --user" : "",
			    removing ? " --remove" : "", url ? " " : "",
			    url ? url : "");
	if (!commands->len)
		cli_note("git: %s",
			 removing ? "co is not set up" : "set up already");
	else if (!print && !setup_agent_confirm(yes, what, commands))
		*status = ERR_NO;
	return commands->len && !print && *status == ERR_NONE;
}

static int run_git(const char *argv0)
{
	struct setup_git *g;
	struct store s;
	struct buf diff = {0}, text = {0};
	struct err e;
	int status;

	cli_open_store(&s, false);
	if (setup_git_plan(&g, &s, removing, argv0, &e) < 0)
		cli_die(&e);
	setup_git_show(g, &diff);
	setup_git_explain(g, &text);
	if (agrees(&diff, &text, setup_git_ids(g), &status)) {
		if (setup_git_apply(g, print_done, NULL, &e) < 0)
			cli_complain(&e);
		else if (!removing && setup_git_shares(g))
			cli_hint("'git add .co-cli' and commit: each clone "
				 "runs 'co setup git' once");
	}
	buf_release(&diff);
	buf_release(&text);
	setup_git_free(g);
	store_close(&s);
	return cli_finish(status);
}

/* Set up the user store with the remote `url`. */
static int run_user(void)
{
	struct store s;
	const struct sync_setup u = {&s, url, removing};
	struct sync_plan plan;
	struct err e;
	int status;

	cli_open_store(&s, true);
	if (sync_setup_plan(&u, &plan, &e) < 0)
		cli_die(&e);
	if (agrees(&plan.commands, &plan.text, NULL, &status)) {
		if (sync_setup_apply(&u, &e) < 0)
			cli_die(&e);
		print_done(NULL, s.repo.root.path);
		if (!removing)
			cli_hint("'co sync' exchanges memories with the "
				 "remote");
	}
	buf_release(&plan.commands);
	buf_release(&plan.text);
	store_close(&s);
	return cli_finish(status);
}

static void check_operands(char **operands, int n, bool git)
{
	if (n > 1)
		cli_usage(git ? "a URL requires --user: 'co setup git --user "
				"%s'"
			      : "name one agent at a time, not '%s' too",
			  operands[1]);
	if (user)
		cli_usage("--user is for git: 'co setup %s' is for you already",
			  n ? operands[0] : "AGENT");
}

int main(int argc, char **argv)
{
	char *argv0 = argv[0];
	const struct agent *agent;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	const bool git = n && !strcmp(operands[0], "git");
	const struct setup_agent_how how = {project, removing, yes};

	if (git && user) {
		url = operands[1];
		return run_user();
	}
	check_operands(operands, n, git);
	if (git && !project)
		return run_git(argv0);
	if (print && (removing || yes))
		cli_usage("--print cannot be used with --remove or -y");
	if (!n && print)
		return print_generic(argv0);
	if (!n && (project || removing || yes))
		cli_usage("name the agent: %s", agent_names());
	agent = n ? setup_agent_find(operands[0]) : setup_agent_choose(argv0);
	if (print)
		return print_agent(agent, argv0);
	return cli_finish(agent ? setup_agent_run(agent, how, argv0) : 0);
}
