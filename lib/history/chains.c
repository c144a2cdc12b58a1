/* chains.c: the archive is read once; each of its memories is a link, found by its
 * id where a chain is followed. */
#include "history/chains.h"

#include "repo/marks.h"
#include "store/ids.h"
#include "store/replacement.h"

#include <stdlib.h>

/* A memory of the archive, and what replaced it; 0: it says nothing of it. */
struct link {
	int64_t id, next;
	const char *path;
};

struct chains {
	struct store *s;
	chains_fn *fn;
	void *ctx;
	struct link *links;
	size_t n, cap;
	struct arena arena; /* holds the paths */
	const struct ids *memories, *archive, *trash;
	struct err why; /* of the last memory that the system refused */
	bool refused;
};

static int take_archived(void *ctx, const struct record *r)
{
	struct chains *c = ctx;
	struct arena a = {0};
	struct value v;
	const int said = record_keys_find(&r->keys, REPLACEMENT_OLD, &a, &v);
	const bool silent = !said && c->fn && !r->conflict &&
			    !(marks_now(&r->keys) & MARK_ARCHIVED);

	if (silent || (said == 1 && v.kind == VALUE_INT)) {
		c->links = mem_grow(c->links, c->n, &c->cap, sizeof(*c->links));
		c->links[c->n++] =
			(struct link){r->id, silent ? 0 : v.u.i,
				      arena_strdup(&c->arena, r->path)};
	}
	arena_release(&a);
	return 0;
}

/* Ids, each once. */
struct members {
	int64_t *items;
	size_t n, cap;
};

static void add_member(struct members *m, int64_t id)
{
	for (size_t i = 0; i < m->n; i++) {
		if (m->items[i] == id)
			return;
	}
	m->items = mem_grow(m->items, m->n, &m->cap, sizeof(*m->items));
	m->items[m->n++] = id;
}

/* Add what the links tie to those of M, to either side, however far. */
static void spread(struct members *m, const struct chains *c)
{
	for (size_t i = 0; i < m->n; i++) {
		const int64_t id = m->items[i];

		for (size_t k = 0; k < c->n; k++) {
			if (c->links[k].next == id)
				add_member(m, c->links[k].id);
			if (c->links[k].id == id)
				add_member(m, c->links[k].next);
		}
	}
}

static int newest_first(const void *x, const void *y)
{
	const struct record *a = x, *b = y;
	const int r = instant_cmp(b->at, a->at);

	return r ? r : record_by_id(b, a);
}

/* Find ID, where it holds or was replaced: 1, 0, -1. */
static int find_member(struct store *s, int64_t id, struct arena *a,
		       struct record *r, struct err *e)
{
	const char *name = arena_printf(a, "%lld", (long long)id);
	const int found = store_find(s, AREA_MEMORIES, name, a, r, e);

	return found ? found : store_find(s, AREA_ARCHIVE, name, a, r, e);
}

int chains_follow(struct store *s, int64_t id, struct arena *a,
		  struct records *out, struct err *e)
{
	struct chains c = {.s = s};
	struct members m = {0};
	int r = store_each(s, AREA_ARCHIVE, take_archived, &c, e);

	*out = (struct records){0};
	add_member(&m, id);
	spread(&m, &c);
	out->items = arena_alloc(a, m.n * sizeof(*out->items));
	for (size_t i = 0; i < m.n && r >= 0; i++) {
		r = find_member(s, m.items[i], a, &out->items[out->n], e);
		out->n += r == 1;
		if (!r && !i)
			break;
	}
	if (out->n)
		qsort(out->items, out->n, sizeof(*out->items), newest_first);
	free(m.items);
	free(c.links);
	arena_release(&c.arena);
	return r < 0 ? -1 : 0;
}
