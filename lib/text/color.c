/* color.c: the eight colours of every terminal, as it is set up; see color.h. */
#include "text/color.h"

#include "base/mem.h"

#define END "\033[m"

void color_span_add(struct spans *s, size_t start, size_t end, enum color color)
{
	s->items = mem_grow(s->items, s->n, &s->cap, sizeof(*s->items));
	s->items[s->n++] = (struct span){start, end, color};
}
