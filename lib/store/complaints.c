/* complaints.c: see complaints.h. */
#include "store/complaints.h"

void complaints_add(struct complaints *c, const char *path, const struct err *e)
{
	struct complaint *one;

	c->items = mem_grow(c->items, c->n, &c->cap, sizeof(*c->items));
	one = &c->items[c->n++];
	one->path = arena_strdup(&c->arena, path);
	one->text = arena_strdup(&c->arena, e->text);
	one->code = e->code;
}

static int by_path(const void *a, const void *b)
{
	const struct complaint *x = a, *y = b;

	return strcmp(x->path, y->path);
}

void complaints_report(struct complaints *c, const struct report *r)
{
	struct err e;

	if (c->n)
		qsort(c->items, c->n, sizeof(*c->items), by_path);
	for (size_t i = 0; i < c->n; i++) {
		err_set(&e, c->items[i].code, "%s", c->items[i].text);
		err_report(r, &e);
	}
	free(c->items);
	arena_release(&c->arena);
	*c = (struct complaints){0};
}
