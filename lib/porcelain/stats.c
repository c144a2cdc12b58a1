/* stats.c: one pass; names are found by a table each. */
#include "porcelain/stats.h"

#include "base/table.h"

struct count {
	struct stats *stats;
	struct arena *arena;
	struct table tags, sources, months; /* where each name stands */
};

static void count_name(struct tallies *t, struct table *names, struct arena *a,
		       const char *name, size_t len)
{
	struct table_look k = table_look(names, name, len, 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (!strncmp(t->items[i].name, name, len) &&
		    !t->items[i].name[len]) {
			t->items[i].n++;
			return;
		}
	}
	t->items = mem_grow(t->items, t->n, &t->cap, sizeof(*t->items));
	table_put(names, name, len, 0, t->n);
	t->items[t->n++] = (struct tally){arena_copy(a, name, len), 1};
}

static int count_memory(void *ctx, const struct record *r)
{
	struct count *c = ctx;
	struct stats *s = c->stats;
	const char *source = r->source ? r->source : "(none)";

	s->memories++;
	s->bytes += r->content_len;
	for (size_t i = 0; i < r->ntags; i++)
		count_name(&s->tags, &c->tags, c->arena, r->tags[i],
			   strlen(r->tags[i]));
	count_name(&s->sources, &c->sources, c->arena, source, strlen(source));
	count_name(&s->months, &c->months, c->arena, r->created,
		   strlen("2026-02"));
	return 0;
}

static int count_one(void *ctx, const struct record *r)
{
	size_t *n = ctx;

	(void)r;
	++*n;
	return 0;
}

static int most_first(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int by_name(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void sort(struct tallies *t, int (*order)(const void *, const void *))
{
	if (t->n)
		qsort(t->items, t->n, sizeof(*t->items), order);
}

int stats_count(struct store *s, struct arena *a, struct stats *out,
		struct err *e)
{
	struct count c = {.stats = out, .arena = a};
	int r = 0;

	*out = (struct stats){0};
	if (store_each(s, AREA_MEMORIES, count_memory, &c, e) < 0 ||
	    store_each(s, AREA_DRAFTS, count_one, &out->drafts, e) < 0 ||
	    store_each(s, AREA_TRASH, count_one, &out->trash, e) < 0) {
		stats_release(out);
		r = -1;
	}
	sort(&out->tags, most_first);
	sort(&out->sources, most_first);
	sort(&out->months, by_name);
	table_release(&c.tags);
	table_release(&c.sources);
	table_release(&c.months);
	return r;
}

void stats_release(struct stats *s)
{
	free(s->tags.items);
	free(s->sources.items);
	free(s->months.items);
	*s = (struct stats){0};
}
