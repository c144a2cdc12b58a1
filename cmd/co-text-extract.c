/* co-text-extract: print the text of a page or a document as Markdown. */
#include "cli/cli.h"
#include "extract/extract.h"
#include "sys/file.h"
#include "sys/io.h"
#include "sys/sandbox.h"

#include <fcntl.h>
#include <unistd.h>

#define SECONDS 10		   /* of CPU time */
#define MEMORY ((size_t)512 << 20) /* bytes */
#define HELPER_SECONDS 600	   /* of CPU time, for a helper */
#define NEEDS_HELPER 99		   /* exit status of the reader */

static struct extract wanted;
static bool json, explain;

static const struct opt opts[] = {
	{OPT_STR, 0, "base", &wanted.base, "URL", NULL,
	 "set its address, to make links absolute"},
	FLAG(0, "explain", &explain, "print on standard error how it was read"),
	FLAG(0, "json", &json,
	     "print an object with the text and its properties"),
	FLAG(0, "large", &wanted.large,
	     "print a text of more than 1 MiB too, of up to 8 MiB"),
	{OPT_STR, 0, "type", &wanted.said, "TYPE", NULL,
	 "set its media type, with or without a charset"},
	FLAG(0, "whole", &wanted.whole,
	     "print the whole page, not only its main content"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-text-extract",
	.summary = "convert a page or a document to Markdown",
	.operands = "[FILE]",
	.input = "the page or document when there is no FILE",
	.opts = opts,
};

static const char *name = "standard input";

/* Report E with the name of the file. Return the exit status. */
static int report_error(const struct err *e)
{
	struct err named;

	err_set(&named, e->code, "'%s': %s", name, e->text);
	cli_complain(&named);
	return cli_finish(0);
}

/* Print the text of FILE. CALLED: FILE has this type and TEXT is the output of
 * its helper; NULL: TEXT is FILE. Return the exit status. */
static int print_text(const struct buf *file, const char *called,
		      const struct buf *text)
{
	struct extract x = wanted;
	struct buf out = {0};
	struct err e;
	int r;

	x.plain = called;
	if (extract_text(&x, buf_str(text), text->len, &e) < 0) {
		r = report_error(&e);
	} else {
		x.type = called ? called : x.type;
		if (explain && x.pass)
			cli_note("'%s': %s, its main content in pass %d", name,
				 x.type, x.pass);
		else if (explain)
			cli_note("'%s': %s, all of it", name, x.type);
		if (json)
			extract_add_json(&out, &x, buf_str(file), file->len);
		else
			cli_out_text(x.markdown.p, x.markdown.len);
		cli_out(buf_str(&out), out.len);
		r = cli_finish(0);
	}
	extract_release(&x);
	buf_release(&out);
	return r;
}

/* In a sandboxed child process: read FD and print its text. If the type needs a
 * helper, write the type and the bytes to TO instead. Never returns. */
static void NORETURN read_in_sandbox(int fd, const struct settings *s, int to)
{
	struct buf bytes = {0};
	unsigned closed, failed;
	const char *kind;
	struct err e;

	sandbox_limit(SECONDS, MEMORY);
	closed = sandbox_close();
	if (explain)
		cli_note("read %s%s",
			 closed & SANDBOX_CALLS ? "behind closed doors"
						: "with its doors open",
			 closed & SANDBOX_FILES ? ", Landlock's too" : "");
	if (file_read_fd(fd, name, EXTRACT_INPUT_MAX, &bytes, &e) < 0) {
		e.code = ERR_SYSTEM;
		cli_complain(&e);
		_exit(cli_finish(0));
	}
	kind = extract_type(&wanted, buf_str(&bytes), bytes.len);
	if (!extract_helper(s, kind, &cli_arena))
		_exit(print_text(&bytes, NULL, &bytes));
	failed = io_write(to, kind, strlen(kind) + 1) < 0 ||
		 io_write(to, buf_str(&bytes), bytes.len) < 0;
	_exit(failed ? ERR_SYSTEM : NEEDS_HELPER);
}

/* Run the helper for GIVEN, a NUL-terminated type followed by the bytes. Return
 * the exit status. */
static int run_helper(const struct settings *s, const struct buf *given)
{
	const char *kind = buf_str(given);
	const size_t skip = strlen(kind) + 1;
	const struct buf bytes = {given->p + skip, given->len - skip, 0};
	static struct buf text; /* never released */
	const char *const *words = extract_helper(s, kind, &cli_arena);
	struct err e;

	sandbox_limit(HELPER_SECONDS, SIZE_MAX);
	if (!sandbox_leave_network() && explain)
		cli_note("'%s' keeps the network", words[0]);
	if (extract_ask(words, &bytes, &text, &e) < 0)
		return report_error(&e);
	return print_text(&bytes, kind, &text);
}

static int open_input(char **operands)
{
	int fd = STDIN_FILENO;
	struct err e;

	if (!operands[0] || !strcmp(operands[0], "-"))
		return fd;
	name = operands[0];
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		err_sys(&e, "cannot open '%s'", name);
		cli_die(&e);
	}
	return fd;
}

/* Read FD in a child process, and set GIVEN to the bytes for a helper. Return
 * the exit status, or NEEDS_HELPER. */
static int fork_reader(int fd, const struct settings *s, struct buf *given)
{
	struct err e;
	int r, ends[2];
	pid_t pid;

	if (pipe(ends) < 0 || (pid = fork()) < 0) {
		err_sys(&e, "cannot start a process to read in");
		cli_die(&e);
	}
	if (!pid)
		read_in_sandbox(fd, s, ends[1]);
	close(ends[1]);
	if (file_read_fd(ends[0], name, 2 * EXTRACT_INPUT_MAX, given, &e) < 0)
		cli_die(&e);
	r = sandbox_wait(pid, &e);
	return r < 0 ? report_error(&e) : r;
}

int main(int argc, char **argv)
{
	const struct settings *s;
	struct buf given = {0};
	int n, fd, r;

	fd = open_input(cli_start(&cmd, argc, argv, &n));
	extract_load();
	settings_user(&s, &cli_arena, cli_report(), NULL);
	r = fork_reader(fd, s, &given);
	if (r == NEEDS_HELPER)
		r = run_helper(s, &given);
	buf_release(&given);
	return r;
}
