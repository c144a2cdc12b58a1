/* markdown.c: print the blocks of standard input, one per line: first line,
 * number of lines, kind, depth, flags, and content; with an operand, the words
 * of the content. */
#include "text/markdown.h"

#include "sys/file.h"

#include <unistd.h>

static const char *const kinds[] = {"text",    "heading", "fenced", "indented",
				    "comment", "html",	  "break",  "empty"};

static size_t lines_of(const char *p, size_t len)
{
	size_t n = 1;

	for (size_t i = 0; i < len; i++)
		n += p[i] == '\n';
	return n;
}

int main(int argc, char **argv)
{
	struct buf text = {0}, words = {0};
	struct markdown m;
	struct block b;
	struct err e;

	if (file_read_fd(STDIN_FILENO, "input", SIZE_MAX / 2, &text, &e) < 0)
		return 4;
	(void)argv;
	if (argc > 1) {
		markdown_words(&words, buf_str(&text), text.len);
		fwrite(buf_str(&words), 1, words.len, stdout);
	}
	markdown_start(&m, buf_str(&text), text.len);
	while (argc == 1 && markdown_next(&m, &b)) {
		printf("%zu+%zu %s", b.line + 1,
		       lines_of(text.p + b.start, b.len), kinds[b.kind]);
		if (b.level)
			printf("%d", b.level);
		printf(" %zu%s%s%s", b.depth, b.item ? " item" : "",
		       b.apart ? " apart" : "", b.open ? " open" : "");
		if (b.text_len)
			printf(" '%.*s'", (int)b.text_len, b.text);
		putchar('\n');
	}
	buf_release(&text);
	buf_release(&words);
	return 0;
}
