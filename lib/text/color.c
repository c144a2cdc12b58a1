/* color.c: uses the eight basic colours, as the terminal defines them.
 *
 * Of Markdown, only the marks of headings and of bold text are removed. Others, such as
 * those of lists and links, are as easy to read as what could replace them.
 */
#include "text/color.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "text/markdown.h"

static const char *const start_escapes[] = {
	[COLOR_ID] = "\033[33m",	 [COLOR_DATE] = "\033[32m",
	[COLOR_TAG] = "\033[36m",	 [COLOR_PATH] = "\033[35m",
	[COLOR_MATCH] = "\033[1m",	 [COLOR_HEADING] = "\033[1m",
	[COLOR_QUESTION] = "\033[1;34m", [COLOR_OLD] = "\033[31m",
	[COLOR_NEW] = "\033[32m",
};
#define END "\033[m"

const struct coloring color_plain;

void color_span_add(struct spans *s, size_t start, size_t end, enum color color)
{
	*MEM_ADD(s->items, s->n, s->cap) = (struct span){start, end, color};
}

void color_add(struct buf *out, const struct coloring *c, enum color color,
	       const char *p, size_t len)
{
	if (c && len)
		buf_adds(out, start_escapes[color]);
	buf_add(out, p, len);
	if (c && len)
		buf_adds(out, END);
}

/* Append P, ending the colour at each newline and starting it again on the next
 * line: a pager resets colours there. */
static void add_lines(struct buf *out, const struct coloring *c,
		      enum color color, const char *p, size_t len)
{
	const char *newline;

	while (c && len && (newline = memchr(p, '\n', len))) {
		const size_t line = (size_t)(newline - p);

		color_add(out, c, color, p, line);
		buf_addc(out, '\n');
		p += line + 1;
		len -= line + 1;
	}
	color_add(out, c, color, p, len);
}

/* Append LEN bytes of P with its SPANS coloured. */
static void add_spans(struct buf *out, const struct coloring *c, const char *p,
		      size_t len, const struct spans *spans)
{
	size_t at = 0;

	for (size_t i = 0; i < spans->n; i++) {
		const struct span *s = &spans->items[i];

		if (s->start < at)
			continue;
		buf_add(out, p + at, s->start - at);
		add_lines(out, c, s->color, p + s->start, s->end - s->start);
		at = s->end;
	}
	buf_add(out, p + at, len - at);
}

void color_add_found(struct buf *out, const struct coloring *c, const char *p,
		     size_t len)
{
	struct spans spans = {0};

	if (c && c->find)
		c->find(c->ctx, &spans, p, len);
	add_spans(out, c, p, len, &spans);
	free(spans.items);
}

static bool is_separator(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Return the length of the code that begins at P, after N backticks, with the N
 * backticks that end it; 0 if none do. */
static size_t code_length(const char *p, size_t len, size_t n)
{
	size_t at = 0;

	while (at < len) {
		const size_t run = ascii_run_of(p + at, len - at, '`');

		if (run == n)
			return at + n;
		at += run ? run : 1;
	}
	return 0;
}

static bool is_closing(const char *p, size_t i)
{
	return p[i] == '*' && p[i + 1] == '*' && !is_separator(p[i - 1]);
}

/* Return the length of the bold text that begins at P, after its two asterisks; 0 if
 * no two asterisks end it. */
static size_t bold_length(const char *p, size_t len)
{
	if (!len || is_separator(*p) || *p == '*')
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
	const size_t ticks = ascii_run_of(p, len, '`');
	const uint64_t bit = UINT64_C(1) << (ticks < 63 ? ticks : 63);
	size_t code = 0;

	if (!ticks)
		return *p == '*' ? ascii_run_of(p, len, '*') : 1;
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

void color_markdown(struct buf *out, const struct coloring *c, const char *p,
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
