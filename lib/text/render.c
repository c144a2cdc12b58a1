/* render.c: only the marks of headings and of bold text are removed. Others, such as
 * those of lists and links, are as easy to read as what could replace them.
 */
#include "text/render.h"

#include "text/markdown.h"

/* Return the length of the run of C at P. */
static size_t run_length(const char *p, size_t len, char c)
{
	size_t n = 0;

	while (n < len && p[n] == c)
		n++;
	return n;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Return the length of the code that begins at P, after N backticks, with the N
 * backticks that end it; 0 if none do. */
static size_t code_length(const char *p, size_t len, size_t n)
{
	size_t at = 0;

	while (at < len) {
		const size_t run = run_length(p + at, len - at, '`');

		if (run == n)
			return at + n;
		at += run ? run : 1;
	}
	return 0;
}

static bool is_closing(const char *p, size_t i)
{
	return p[i] == '*' && p[i + 1] == '*' && !is_blank(p[i - 1]);
}

/* Return the length of the bold text that begins at P, after its two asterisks; 0 if
 * no two asterisks end it. */
static size_t bold_length(const char *p, size_t len)
{
	if (!len || is_blank(*p) || *p == '*')
		return 0;
	for (size_t i = 1; i + 1 < len; i++) {
		if (is_closing(p, i))
			return i;
	}
	return 0;
}

/* Return the length of the piece of text at P that add_inline() copies as it is: code
 * with its backticks, other backticks or asterisks, or one byte. OPEN has a bit for each
 * number of backticks that is known to end no code. */
static size_t piece_length(const char *p, size_t len, uint64_t *open)
{
	const size_t ticks = run_length(p, len, '`');
	const uint64_t bit = UINT64_C(1) << (ticks < 63 ? ticks : 63);
	size_t code = 0;

	if (!ticks)
		return *p == '*' ? run_length(p, len, '*') : 1;
	if (!(*open & bit))
		code = code_length(p + ticks, len - ticks, ticks);
	*open |= code ? 0 : bit;
	return ticks + code;
}

/* Append the text of a paragraph or a heading, its bold parts rendered. */
static void add_inline(struct buf *out, const struct coloring *c, const char *p,
		       size_t len)
{
	size_t at = 0, last = len; /* where the last bold text ends */
	uint64_t open = 0;

	do
		last = last ? last - 1 : 0;
	while (last && !(last + 1 < len && is_closing(p, last)));
	while (at < len) {
		size_t bold = 0, n;

		if (at + 2 < last && p[at] == '*' && p[at + 1] == '*')
			bold = bold_length(p + at + 2, len - at - 2);
		if (bold) {
			color_add(out, c, COLOR_HEADING, p + at + 2, bold);
			at += bold + 4;
			continue;
		}
		n = piece_length(p + at, len - at, &open);
		buf_add(out, p + at, n);
		at += n;
	}
}

void render_markdown(struct buf *out, const struct coloring *c, const char *p,
		     size_t len)
{
	struct markdown m;
	struct block b;
	size_t at = 0;

	markdown_start(&m, p, len);
	while (markdown_next(&m, &b)) {
		buf_add(out, p + at, b.start - at);
		at = b.start + b.len;
		if (b.kind == BLOCK_HEADING && !b.depth) {
			struct buf title = {0};

			add_inline(&title, NULL, b.text, b.text_len);
			color_add(out, c, COLOR_HEADING, buf_str(&title),
				  title.len);
			buf_release(&title);
		} else if (b.kind == BLOCK_TEXT) {
			add_inline(out, c, p + b.start, b.len);
		} else {
			buf_add(out, p + b.start, b.len);
		}
	}
	buf_add(out, p + at, len - at);
}
