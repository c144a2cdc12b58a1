/* similar.c: each text is a sorted array of the hashes of its words, so that
 * the words of two texts are counted in one walk through both.
 */
#include "porcelain/similar.h"

#include "rank/terms.h"

struct words {
	uint32_t *items; /* sorted, each once */
	size_t n, cap;
};

struct text {
	struct record head;
	enum area area;
	struct words words;
};

struct similar {
	struct text *items;
	size_t n, cap;
	enum area area; /* that is being read */
	struct words asked;
	struct terms terms;
	struct arena arena;
};

static void add_word(struct words *w, const char *p, size_t len)
{
	uint32_t hash = 2166136261u; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)p[i]) * 16777619u;
	w->items = mem_grow(w->items, w->n, &w->cap, sizeof(*w->items));
	w->items[w->n++] = hash;
}

static int by_value(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void sort_words(struct words *w)
{
	size_t n = 0;

	if (w->n)
		qsort(w->items, w->n, sizeof(*w->items), by_value);
	for (size_t i = 0; i < w->n; i++) {
		if (!n || w->items[n - 1] != w->items[i])
			w->items[n++] = w->items[i];
	}
	w->n = n;
}

static int read_term(void *ctx, const struct term *t)
{
	if (!t->beside)
		add_word(ctx, t->p, t->len);
	return 0;
}

/* Replace W by the words of P. */
static void read_words(struct similar *sim, struct words *w, const char *p,
		       size_t len)
{
	w->n = 0;
	terms_each(&sim->terms, p, len, read_term, w);
	sort_words(w);
}

static int read_text(void *ctx, const struct record *r)
{
	struct similar *sim = ctx;
	struct text *t;

	sim->items =
		mem_grow(sim->items, sim->n, &sim->cap, sizeof(*sim->items));
	t = &sim->items[sim->n++];
	*t = (struct text){.head = record_copy_head(r, &sim->arena),
			   .area = sim->area};
	read_words(sim, &t->words, r->content, r->content_len);
	return 0;
}

struct similar *similar_new(struct store *s, struct err *e)
{
	struct similar *sim = mem_alloc(sizeof(*sim));
	const struct report *report = s->report;
	int r = 0;

	s->report = NULL;
	for (; !r && sim->area < AREA_ANY; sim->area++)
		r = store_each(s, sim->area, read_text, sim, e);
	s->report = report;
	if (!r)
		return sim;
	similar_free(sim);
	return NULL;
}

void similar_free(struct similar *sim)
{
	if (!sim)
		return;
	for (size_t i = 0; i < sim->n; i++)
		free(sim->items[i].words.items);
	free(sim->items);
	free(sim->asked.items);
	terms_release(&sim->terms);
	arena_release(&sim->arena);
	free(sim);
}

/* How alike A and B are, in per cent. */
static int compare(const struct words *a, const struct words *b)
{
	size_t i = 0, k = 0, both = 0;

	while (i < a->n && k < b->n) {
		const uint32_t x = a->items[i], y = b->items[k];

		both += x == y;
		i += x <= y;
		k += y <= x;
	}
	return a->n + b->n ? (int)(both * 100 / (a->n + b->n - both)) : 0;
}

/* True if A is to be told of before B; memories before drafts and trash. */
static bool is_better(const struct similar_hit *a, const struct similar_hit *b)
{
	if (a->percent != b->percent)
		return a->percent > b->percent;
	if (a->area != b->area)
		return a->area < b->area;
	return record_by_id(a->record, b->record) < 0;
}

size_t similar_find(struct similar *sim, const char *p, size_t len,
		    const char *path, struct similar_hit *hits, size_t max)
{
	size_t n = 0, at;

	read_words(sim, &sim->asked, p, len);
	for (size_t i = 0; i < sim->n; i++) {
		const struct text *t = &sim->items[i];
		const struct similar_hit hit = {
			&t->head, t->area, compare(&sim->asked, &t->words)};

		if (hit.percent < SIMILAR_LEAST || !strcmp(t->head.path, path))
			continue;
		for (at = n; at && is_better(&hit, &hits[at - 1]); at--) {
			if (at < max)
				hits[at] = hits[at - 1];
		}
		if (at < max)
			hits[at] = hit;
		n += n < max;
	}
	return n;
}

void similar_move(struct similar *sim, const char *path, const struct record *r,
		  enum area area)
{
	for (size_t i = 0; i < sim->n; i++) {
		struct text *t = &sim->items[i];

		if (strcmp(t->head.path, path) != 0)
			continue;
		t->area = area;
		if (!r)
			return;
		t->head = record_copy_head(r, &sim->arena);
		read_words(sim, &t->words, r->content, r->content_len);
		return;
	}
}
