/* co-help: list the commands, or open a manual page. */
#include "cli/cli.h"
#include "cli/help.h"
#include "cli/out.h"
#include "sys/file.h"
#include "text/render.h"

#include <unistd.h>

static bool all;

static const struct opt opts[] = {
	{OPT_FLAG, 'a', "all", &all, NULL, NULL, "list all commands"},
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[-a]",
	"COMMAND|PAGE",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-help",
	.summary = "list commands, or open a manual",
	.synopsis = "[-a]\n"
		    "COMMAND|PAGE|tutorial|guide[/CHAPTER]",
	.operands = "[COMMAND|PAGE|tutorial|guide[/CHAPTER]]",
	.opts = opts,
};

static struct arena arena;
static struct execpath suite;

static int list_commands(const char *argv0)
{
	struct buf out = {0};

	help_list(&suite, argv0, &arena);
	help_commands(&out, &suite, all);
	cli_out_text(out.p, out.len);
	buf_release(&out);
	arena_release(&arena);
	return cli_finish(0);
}

/* Append the path of the page NAME. Commands (section 1) are preferred to
 * formats (section 5). */
static bool find_page(struct buf *path, const char *name, const char *argv0)
{
	static const char sections[] = "157";
	char page[256];

	for (const char *s = sections; *s; s++) {
		snprintf(page, sizeof(page), "%s.%c", name, *s);
		if (execpath_page(path, page, argv0))
			return true;
	}
	return false;
}

/* Handle a missing page: run man(1) for a command of others, or suggest a
 * similar command. */
static int handle_missing_page(const char *asked, const char *name,
			       const char *argv0)
{
	struct buf path = {0}, guess = {0};
	struct err e;

	if (execpath_find(&path, name, argv0)) {
		execlp("man", "man", name, (char *)NULL);
		err_sys(&e, "cannot run 'man'");
		cli_die(&e);
	}
	buf_release(&path);
	execpath_list(&suite, argv0, &arena);
	help_guess(&guess, &suite, asked);
	cli_note("no manual of '%s'", asked);
	cli_hint("%s", guess.len ? guess.p : "'co help' lists the commands");
	buf_release(&guess);
	arena_release(&arena);
	return cli_finish(ERR_NO);
}

/* Replace the process by man(1), or if that is not installed by the -h of the
 * command. */
static void NORETURN open_page(const char *page, const char *name,
			       const char *argv0)
{
	struct buf program = {0};
	struct err e;

	execlp("man", "man", page, (char *)NULL);
	err_sys(&e, "cannot run 'man'");
	if (execpath_find(&program, name, argv0))
		execl(program.p, program.p, "-h", (char *)NULL);
	cli_die(&e);
}

int main(int argc, char **argv)
{
	const char *argv0 = argv[0];
	struct buf name = {0}, page = {0};
	char **operands;
	int n;

	operands = cli_start(&cmd, argc, argv, &n);
	if (!n || all)
		return list_commands(argv0);
	if (strcmp(operands[0], "co") && strncmp(operands[0], "co-", 3))
		buf_adds(&name, "co-");
	buf_adds(&name, operands[0]);
	if (find_page(&page, name.p, argv0))
		open_page(page.p, name.p, argv0);
	n = handle_missing_page(operands[0], name.p, argv0);
	buf_release(&name);
	buf_release(&page);
	return n;
}
