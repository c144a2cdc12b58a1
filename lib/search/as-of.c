#include "search/as-of.h"

#include "repo/marks.h"

struct as_of_memory {
	int64_t id;
	struct instant created;
};

static int add_memory(void *ctx, const struct record *r)
{
	struct as_of *t = ctx;

	t->items = mem_grow(t->items, t->n, &t->cap, sizeof(*t->items));
	t->items[t->n++] = (struct as_of_memory){r->id, r->at};
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct as_of_memory *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

int as_of_read(struct as_of *t, struct store *s, struct instant at,
	       struct err *e)
{
	const struct report *report = s->report;
	int r;

	*t = (struct as_of){.at = at};
	s->report = NULL; /* the caller's own walk reports broken files */
	r = store_each(s, AREA_MEMORIES, add_memory, t, e);
	if (r == 0)
		r = store_each(s, AREA_ARCHIVE, add_memory, t, e);
	s->report = report;
	if (t->n)
		qsort(t->items, t->n, sizeof(*t->items), by_id);
	return r < 0 ? -1 : 0;
}

void as_of_release(struct as_of *t)
{
	free(t->items);
	*t = (struct as_of){0};
}

/* Return true if R was replaced by T->at. An unknown replacement counts as
 * earlier. */
static bool was_replaced(const struct as_of *t, const struct record *r)
{
	struct arena a = {0};
	const struct as_of_memory *by = NULL;
	struct as_of_memory key = {0};
	struct value v;
	bool was = false;

	if (record_keys_find(&r->keys, "superseded", &a, &v) == 1 &&
	    marks_is_replaced(&v)) {
		key.id = v.kind == VALUE_INT ? v.u.i : 0;
		by = t->n ? bsearch(&key, t->items, t->n, sizeof(key), by_id)
			  : NULL;
		was = !by || instant_cmp(by->created, t->at) <= 0;
	}
	arena_release(&a);
	return was;
}

bool as_of_holds(const struct as_of *t, const struct record *r)
{
	return instant_cmp(r->at, t->at) <= 0 && !was_replaced(t, r);
}
