/* color.c: the eight colours of every terminal, as it is set up; see color.h. */
#include "text/color.h"

#include "base/mem.h"

static const char *const begins[] = {
	[COLOR_ID] = "\033[33m",   [COLOR_DATE] = "\033[32m",
	[COLOR_TAG] = "\033[36m",  [COLOR_PATH] = "\033[35m",
	[COLOR_MATCH] = "\033[1m", [COLOR_QUESTION] = "\033[1;34m",
	[COLOR_OLD] = "\033[31m",  [COLOR_NEW] = "\033[32m",
};
#define END "\033[m"

void color_span_add(struct spans *s, size_t start, size_t end, enum color color)
{
	s->items = mem_grow(s->items, s->n, &s->cap, sizeof(*s->items));
	s->items[s->n++] = (struct span){start, end, color};
}

void color_add(struct buf *out, const struct coloring *c, enum color color,
	       const char *p, size_t len)
{
	if (c && len)
		buf_adds(out, begins[color]);
	buf_add(out, p, len);
	if (c && len)
		buf_adds(out, END);
}
