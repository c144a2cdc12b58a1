/* co-mcp: serve memories to an agent */
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

static const char *const synopsis[] = {
	"[--project=DIR]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-mcp",
	.summary = "run the MCP server",
	.synopsis = synopsis,
	.input = "the agent's messages, one a line, as co-mcp(5) has them",
	.opts = opts,
	.plumbing = true,
};

static int signals[2]; /* a pipe: what the handler tells the loop */

static void tell(int number)
{
	const int before = errno;
	const char byte = (char)number;

	/* Full, it says enough. */
	if (write(signals[1], &byte, 1) < 0)
		errno = before;
}

static void catch_signals(void)
{
	const struct sigaction told = {.sa_handler = tell};
	struct err e;

	if (compat_pipe(signals, O_CLOEXEC | O_NONBLOCK) < 0) {
		err_sys(&e, "cannot make a pipe");
		cli_die(&e);
	}
	sigaction(SIGTERM, &told, NULL);
	sigaction(SIGINT, &told, NULL);
	sigaction(SIGHUP, &told, NULL);
	signal(SIGPIPE, SIG_IGN); /* nobody reading is the loop's business */
}

/* Append why DIR cannot be entered, nothing where it can. */
static void try_folder(void *dir, struct buf *out, const struct report *r)
{
	(void)r;
	if (chdir(dir) < 0)
		buf_adds(out, strerror(errno));
}

/* Enter DIR, if that takes no longer than ENTER_MS. */
static int enter(const char *dir, struct err *e)
{
	char *name = mem_strdup(dir);
	struct buf why = {0};
	int r = deadline_read(try_folder, name, ENTER_MS, &why, NULL, e);

	if (r < 0)
		buf_adds(&why, e->text);
	if (why.len || chdir(dir) < 0)
		r = err_set(e, ERR_SYSTEM, "cannot enter '%s': %s", dir,
			    why.len ? why.p : strerror(errno));
	free(name);
	buf_release(&why);
	return r;
}

/* Go where the project is: the option's folder, which must be there, or the
 * one that the agent names, or where we are. */
static void enter_project(void)
{
	static const char *const names[] = {"CLAUDE_PROJECT_DIR",
					    "GEMINI_PROJECT_DIR"};
	struct err e;

	if (project && enter(project, &e) < 0)
		cli_die(&e);
	for (size_t i = 0; !project && i < ARRAY_LEN(names); i++) {
		const char *dir = getenv(names[i]);

		if (!dir || *dir != '/')
			continue;
		if (enter(dir, &e) == 0)
			return;
		cli_note("%s, of %s", e.text, names[i]);
	}
}

/* What goes wrong in a call is told to the agent; this is for people. */
static void say(void *ctx, const struct err *e)
{
	(void)ctx;
	cli_note("%s", e->text);
}

/* Bring to the git dir what an agent's sandbox had to leave in the work tree;
 * nobody waits for that. */
static void settle(void *ctx, struct deadline *w)
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

/* True if the user lets agents ask the other projects; found out in time. */
static bool may_ask_all(const struct report *r)
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
	const struct report report = {say, NULL};
	const char *argv0 = argv[0];
	struct buf folder = {0}, none = {0};
	struct mcp m = {.frame = {.in = STDIN_FILENO,
				  .out = STDOUT_FILENO,
				  .max = MESSAGE_MAX},
			.report = &report};
	int n, lost;

	cli_start(&cmd, argc, argv, &n);
	if (!execpath_folder(&folder, argv0))
		cli_usage("the programs of co cannot be found");
	m.folder = folder.p;
	if (cli_on_terminal())
		cli_hint("an agent starts this; here type its messages, or ^D");
	catch_signals();
	enter_project();
	deadline_run(settle, NULL, &none, NULL);
	m.everywhere = may_ask_all(&report);
	buf_release(&none);
	lost = mcp_server_run(&m, signals[0]);
	mcp_release(&m);
	buf_release(&folder);
	return cli_finish(lost ? ERR_SYSTEM : ERR_NONE);
}
