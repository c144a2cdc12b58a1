/* co-mcp: run the MCP server. */
#include "base/compat.h"
#include "cli/cli.h"
#include "mcp/server.h"
#include "repo/settings.h"
#include "store/drafts.h"
#include "sys/deadline.h"
#include "sys/execpath.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#define MESSAGE_MAX ((size_t)16 * 1024 * 1024)
#define ENTER_MS 2000

static const char *project;

static const struct opt opts[] = {
	{OPT_STR, 0, "project", &project, "DIR", NULL,
	 "serve the project in DIR instead of the agent's"},
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-mcp",
	.summary = "run the MCP server",
	.input = "the agent's messages, one a line, as co-mcp(5) has them",
	.opts = opts,
	.plumbing = true,
};

static int signals[2]; /* a pipe from the signal handler to the loop */

static void forward_signal(int number)
{
	const int before = errno;
	const char byte = (char)number;

	/* If the pipe is full, the loop wakes up anyway. */
	if (write(signals[1], &byte, 1) < 0)
		errno = before;
}

static void catch_signals(void)
{
	const struct sigaction told = {.sa_handler = forward_signal};
	struct err e;

	if (compat_pipe(signals, O_CLOEXEC | O_NONBLOCK) < 0) {
		err_sys(&e, "cannot make a pipe");
		cli_die(&e);
	}
	sigaction(SIGTERM, &told, NULL);
	sigaction(SIGINT, &told, NULL);
	sigaction(SIGHUP, &told, NULL);
	signal(SIGPIPE, SIG_IGN); /* the loop handles EPIPE */
}

/* Append the reason why DIR cannot be entered; nothing if it can. */
static void try_chdir(void *dir, struct buf *out, const struct report *r)
{
	(void)r;
	if (chdir(dir) < 0)
		buf_adds(out, strerror(errno));
}

/* Change to DIR. Fail if that takes longer than ENTER_MS. */
static int enter_dir(const char *dir, struct err *e)
{
	char *name = mem_strdup(dir);
	struct buf why = {0};
	int r = deadline_read(try_chdir, name, ENTER_MS, &why, NULL, e);

	if (r < 0)
		buf_adds(&why, e->text);
	if (why.len || chdir(dir) < 0)
		r = err_set(e, ERR_SYSTEM, "cannot enter '%s': %s", dir,
			    why.len ? why.p : strerror(errno));
	free(name);
	buf_release(&why);
	return r;
}

/* Change to the project: the directory of the option, which must exist, or the
 * one that the agent names in the environment. Otherwise stay. */
static void enter_project(void)
{
	static const char *const names[] = {"CLAUDE_PROJECT_DIR",
					    "GEMINI_PROJECT_DIR"};
	struct err e;

	if (project && enter_dir(project, &e) < 0)
		cli_die(&e);
	for (size_t i = 0; !project && i < ARRAY_LEN(names); i++) {
		const char *dir = getenv(names[i]);

		if (!dir || *dir != '/')
			continue;
		if (enter_dir(dir, &e) == 0)
			return;
		cli_note("%s, of %s", e.text, names[i]);
	}
}

/* Move drafts that a sandboxed agent left in the work tree to the git
 * directory, in the background. */
static void move_sandbox_drafts(void *ctx, struct deadline *w)
{
	struct store s;

	(void)ctx;
	deadline_answer(w, "", 0);
	if (store_open(&s, SCOPE_PROJECT, NULL, NULL) < 0)
		return;
	drafts_settle(&s, NULL);
	store_close(&s);
}

static void read_settings(void *ctx, struct buf *out, const struct report *r)
{
	struct arena a = {0};
	const struct settings *s;

	(void)ctx;
	settings_user(&s, &a, r, NULL);
	buf_adds(out, settings_str(s, "mcp.all_projects"));
	arena_release(&a);
}

/* Return true if the user's settings let agents search all projects. Reading
 * them is limited to ENTER_MS. */
static bool may_read_all_projects(const struct report *r)
{
	struct buf word = {0};
	const bool may = deadline_read(read_settings, NULL, ENTER_MS, &word, r,
				       NULL) == 0 &&
			 !strcmp(buf_str(&word), "on");

	buf_release(&word);
	return may;
}

int main(int argc, char **argv)
{
	const char *argv0 = argv[0];
	struct buf folder = {0}, none = {0};
	struct mcp m = {.frame = {.in = STDIN_FILENO,
				  .out = STDOUT_FILENO,
				  .max = MESSAGE_MAX},
			/* Errors of a call are sent to the agent. */
			.report = cli_notes()};
	int n, lost;

	cli_start(&cmd, argc, argv, &n);
	if (!execpath_folder(&folder, argv0))
		cli_usage("the programs of co cannot be found");
	m.folder = folder.p;
	if (cli_on_terminal())
		cli_hint("an agent starts this; here type its messages, or ^D");
	catch_signals();
	enter_project();
	deadline_run(move_sandbox_drafts, NULL, &none, NULL);
	m.everywhere = may_read_all_projects(m.report);
	buf_release(&none);
	lost = mcp_server_run(&m, signals[0]);
	mcp_release(&m);
	buf_release(&folder);
	return cli_finish(lost ? ERR_SYSTEM : ERR_NONE);
}
