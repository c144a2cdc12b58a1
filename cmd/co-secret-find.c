/* co-secret-find: find text that looks like a secret. */
#include "cli/cli.h"
#include "sys/file.h"
#include "text/sanitize.h"
#include "text/secrets.h"

#define FILE_MAX ((size_t)64 * 1024 * 1024)

static const struct opt opts[] = {{.kind = OPT_END}};

static const struct cmd cmd = {
	.name = "co-secret-find",
	.summary = "find secrets in files",
	.operands = "[FILE...]",
	.input = "a text, where no FILE is given",
	.opts = opts,
};

/* A position in a text. Lines and columns count from 1; a column is a
 * character. */
struct position {
	size_t offset, line, column;
};

/* Advance POSITION to OFFSET. */
static void advance(struct position *position, const char *text, size_t offset)
{
	for (; position->offset < offset; position->offset++) {
		const unsigned char next =
			(unsigned char)text[position->offset + 1];

		if (text[position->offset] == '\n') {
			position->line++;
			position->column = 1;
		} else if ((next & 0xC0) != 0x80) {
			position->column++;
		}
	}
}

/* Print a finding at POSITION, sanitized even in a pipe, which may end at a
 * terminal. */
static void print_finding(const char *path, const struct position *position,
			  const char *rule)
{
	struct buf text = {0}, line = {0};

	buf_addf(&text, "'%s':%zu:%zu: looks like a secret: %s", path,
		 position->line, position->column, rule);
	sanitize_terminal(&line, text.p, text.len, false);
	buf_addc(&line, '\n');
	cli_out(line.p, line.len);
	buf_release(&text);
	buf_release(&line);
}

/* Print the secrets in the file PATH, at most one per line. Return 1 if there
 * are any, 0, or -1. */
static int search_file(struct secrets *s, const char *path, struct buf *text,
		       struct err *e)
{
	struct position position = {0, 1, 1};
	struct secret found;
	size_t from = 0;
	int r, any = 0;

	if (file_read_operand(path, FILE_MAX, text, e) < 0)
		return -1;
	while ((r = secrets_find(s, buf_str(text), text->len, from, &found,
				 e)) > 0) {
		advance(&position, text->p, found.start);
		print_finding(path, &position, found.rule);
		from = found.end + strcspn(text->p + found.end, "\n");
		any = 1;
	}
	return r < 0 ? -1 : any;
}

int main(int argc, char **argv)
{
	static char *input[] = {"-", NULL};
	struct secrets *s = secrets_new();
	struct buf text = {0};
	struct err e;
	int n, r, any = 0;
	char **files = cli_start(&cmd, argc, argv, &n);

	for (files = n ? files : input; *files; files++) {
		r = search_file(s, *files, &text, &e);
		if (r < 0)
			cli_complain(&e);
		else
			any |= r;
	}
	buf_release(&text);
	secrets_free(s);
	return cli_finish(any ? ERR_NONE : ERR_NO);
}
