/* color.c: uses the eight basic colours, as the terminal defines them. */
#include "text/color.h"

#include "base/mem.h"

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
