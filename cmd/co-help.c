/* co-help: list the commands, open a manual page, or show a chapter of the guide. */
#include "cli/cli.h"
#include "cli/out.h"
#include "sys/execpath.h"
#include "sys/file.h"
#include "text/color.h"

#include <unistd.h>

static bool all;

static const struct opt opts[] = {
	FLAG('a', "all", &all, "list all commands"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-help",
	.summary = "list commands, or open a manual",
	.synopsis = "[-a]\n"
		    "COMMAND|PAGE|tutorial|guide[/CHAPTER]",
	.operands = "[COMMAND|PAGE|tutorial|guide[/CHAPTER]]",
	.opts = opts,
};

#define CHAPTER_MAX ((size_t)1024 * 1024)

static struct execpath suite;

static int list_commands(const char *argv0)
{
	struct buf out = {0};

	command_list(&suite, argv0, &cli_arena);
	command_list_text(&out, &suite, all);
	cli_out_text(out.p, out.len);
	buf_release(&out);
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

/* Show NAME, a page of the guide. Return false if there is none. */
static bool show_chapter(const char *name, const char *argv0)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
	struct buf path = {0}, text = {0}, page = {0};
	struct err e;
	char file[64];
	bool found;

	if (!strcmp(name, "guide"))
		name = "README";
	else if (name[strspn(name, letters)])
		return false;
	snprintf(file, sizeof(file), "guide/%s.md", name);
	found = execpath_shared(&path, file, argv0) &&
		file_read_path(path.p, CHAPTER_MAX, &text, &e) == 1;
	if (found && isatty(STDOUT_FILENO))
		color_markdown(&page, cli_colors(NULL) ? &color_plain : NULL,
			       buf_str(&text), text.len);
	else
		buf_add(&page, buf_str(&text), text.len);
	if (found)
		out_page(&page, true);
	buf_release(&path);
	buf_release(&text);
	buf_release(&page);
	return found;
}

/* Return the name of the chapter if NAME can be nothing else: "guide", "tutorial" or
 * "guide/CHAPTER". Else NULL. */
static const char *chapter_name(const char *name)
{
	static const char folder[] = "guide/";
	const size_t len = strlen(folder);

	if (!strncmp(name, folder, len))
		return name + len;
	return !strcmp(name, "guide") || !strcmp(name, "tutorial") ? name
								   : NULL;
}

/* Find the page of OPERAND: a command, an alias of one, or a format. Append the name of
 * the page to NAME. */
static bool find_named(struct buf *page, struct buf *name, const char *operand,
		       const char *argv0)
{
	const char *alias = command_alias(operand);

	if (strcmp(operand, "co") && strncmp(operand, "co-", 3))
		buf_adds(name, "co-");
	buf_adds(name, operand);
	if (find_page(page, name->p, argv0))
		return true;
	if (!alias || execpath_find(page, name->p, argv0))
		return false;
	buf_cut(name, strlen("co-"));
	buf_add(name, alias, strcspn(alias, " "));
	return find_page(page, name->p, argv0);
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
	execpath_list(&suite, argv0, &cli_arena);
	command_guess(&guess, &suite, asked);
	cli_note("no manual of '%s'", asked);
	cli_hint("%s", guess.len ? guess.p : "'co help' lists the commands");
	buf_release(&guess);
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
	const char *chapter;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (!n || all)
		return list_commands(argv0);
	chapter = chapter_name(operands[0]);
	if (chapter && show_chapter(chapter, argv0))
		return cli_finish(0);
	if (find_named(&page, &name, operands[0], argv0))
		open_page(page.p, name.p, argv0);
	n = show_chapter(operands[0], argv0)
		    ? cli_finish(0)
		    : handle_missing_page(operands[0], name.p, argv0);
	buf_release(&name);
	buf_release(&page);
	return n;
}
