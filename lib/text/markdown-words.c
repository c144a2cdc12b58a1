/* markdown-words.c: uses the blocks of markdown.h. Only links that lie in one
 * block and are not longer than the limits are reduced, so that time is
 * linear. */
#include "text/markdown.h"

#define TEXT_MAX 300
#define TARGET_MAX 2000
#define DEEP 4 /* nesting, such as an image in a link */

/* Return the offset after the CLOSE that matches the OPEN at P, within MOST
 * bytes; else 0. */
static size_t closing_offset(const char *p, size_t len, char open, char close,
			     size_t most)
{
	size_t depth = 0;

	len = len < most ? len : most;
	for (size_t i = 0; i < len; i++) {
		if (p[i] == '\\')
			i++;
		else if (p[i] == open)
			depth++;
		else if (p[i] == close && !--depth)
			return i + 1;
	}
	return 0;
}

/* Return the length of the link at P, which begins with '['; 0 if it is not a
 * link. *TEXT is the length of the link text with its brackets. */
static size_t link_len(const char *p, size_t len, size_t *text)
{
	size_t target;

	*text = closing_offset(p, len, '[', ']', TEXT_MAX);
	if (!*text || *text == len || p[*text] != '(')
		return 0;
	target = closing_offset(p + *text, len - *text, '(', ')', TARGET_MAX);
	return target ? *text + target : 0;
}

/* Return the length of the code span at P, or of its backticks if it has no
 * end. */
static size_t code_span_len(const char *p, size_t len)
{
	size_t n = 0, run = 0;

	while (n < len && p[n] == '`')
		n++;
	for (size_t i = n; i < len && i < TARGET_MAX; i++) {
		run = p[i] == '`' ? run + 1 : 0;
		if (run == n && (i + 1 == len || p[i + 1] != '`'))
			return i + 1;
	}
	return n;
}

static void add_inline(struct buf *out, const char *p, size_t len, int deep)
{
	size_t n, whole, text;

	for (size_t i = 0; i < len; i += n) {
		const bool image =
			p[i] == '!' && i + 1 < len && p[i + 1] == '[';

		n = p[i] == '\\' && i + 1 < len ? 2
		    : p[i] == '`'		? code_span_len(p + i, len - i)
						: 1;
		whole = deep < DEEP && (image || p[i] == '[')
				? link_len(p + i + image, len - i - image,
					   &text)
				: 0;
		if (!whole)
			buf_add(out, p + i, n);
		else if (!image)
			add_inline(out, p + i + 1, text - 2, deep + 1);
		if (whole)
			n = whole + image;
	}
}

/* Append the content of the fenced code block B of P. */
static void add_fenced(struct buf *out, const char *p, const struct block *b)
{
	const char *at = p + b->start, *end = at + b->len;
	const char *line = memchr(at, '\n', b->len);

	at = line ? line + 1 : end;
	while (!b->open && end > at && end[-1] != '\n')
		end--;
	buf_add(out, at, (size_t)(end - at));
}

void markdown_words(struct buf *out, const char *p, size_t len)
{
	struct markdown m;
	struct block b;

	markdown_start(&m, p, len);
	while (markdown_next(&m, &b)) {
		if (b.kind == BLOCK_FENCED)
			add_fenced(out, p, &b);
		else if (b.kind == BLOCK_TEXT || b.kind == BLOCK_HEADING)
			add_inline(out, p + b.start, b.len, 0);
		else
			buf_add(out, p + b.start, b.len);
		buf_addc(out, '\n');
	}
}
