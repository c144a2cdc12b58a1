/* stats.c: one pass appends each name to a list. When the list is full, it is
 * sorted and equal names are merged. Most names repeat often, so that the list
 * stays short; a list of names that occur once needs as much memory in any
 * other form.
 */
#include "overview/stats.h"

#include "cache/cache.h"

#define LIST_MIN 1024

struct count {
	struct stats *stats;
	struct cache *cache;
	struct arena *arena;
	bool sensitive;		      /* include names that only sensitive
				       * memories have */
	struct tallies tags, sources; /* names of sensitive memories, unless
				       * `sensitive` */
};

static uint64_t sort_key(const struct tally *t, bool number)
{
	return number ? ~(uint64_t)t->n : t->start;
}

/* Sort by the first bytes of the name, or by NUMBER, highest first. The sort is
 * a stable radix sort, one byte at a time from the last: comparing so many
 * mostly different names would take as long as all the counting. */
static void radix_sort(struct tallies *t, bool number)
{
	uint64_t differ = 0;
	struct tally *from;

	for (size_t i = 1; i < t->n; i++)
		differ |= sort_key(&t->items[i], number) ^
			  sort_key(&t->items[0], number);
	for (int shift = 0; shift < 64; shift += 8) {
		size_t at[256] = {0}, sum = 0, n;

		if (!(differ >> shift & 255))
			continue;
		for (size_t i = 0; i < t->n; i++)
			at[sort_key(&t->items[i], number) >> shift & 255]++;
		for (size_t i = 0; i < ARRAY_LEN(at); i++, sum += n) {
			n = at[i];
			at[i] = sum;
		}
		from = t->items;
		for (size_t i = 0; i < t->n; i++)
			t->room[at[sort_key(&from[i], number) >> shift &
				   255]++] = from[i];
		t->items = t->room;
		t->room = from;
	}
}

static int by_name(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;
	const int r =
		memcmp(x->name, y->name, x->len < y->len ? x->len : y->len);

	return r ? r : (x->len > y->len) - (x->len < y->len);
}

/* Sort by name and merge equal names. */
static void merge_equal(struct tallies *t)
{
	const size_t all = t->n;

	radix_sort(t, false);
	t->n = 0;
	for (size_t i = 0, next; i < all; i = next) {
		struct tally *first = &t->items[i];

		for (next = i + 1;
		     next < all && t->items[next].start == first->start; next++)
			;
		if (first->start & 255)
			qsort(first, next - i, sizeof(*first), by_name);
		for (size_t k = i; k < next; k++) {
			if (k > i &&
			    !by_name(&t->items[t->n - 1], &t->items[k]))
				t->items[t->n - 1].n += t->items[k].n;
			else
				t->items[t->n++] = t->items[k];
		}
	}
}

static uint64_t start_of(const char *name, size_t len)
{
	uint64_t start = 0;

	for (size_t i = 0; i < sizeof(start); i++)
		start = start << 8 | (i < len ? (unsigned char)name[i] : 0);
	return start;
}

static bool is_name(const struct tally *t, const char *name, size_t len)
{
	return t->len == len && !memcmp(t->name, name, len);
}

/* Add one occurrence of NAME to T. NAME is copied into A unless KEPT, that is,
 * unless it stays valid until the end of the count. */
static void count_name(struct tallies *t, const char *name, size_t len,
		       bool kept, struct arena *a)
{
	/* Consecutive memories often have the same name. */
	if (t->n && is_name(&t->items[t->n - 1], name, len)) {
		t->items[t->n - 1].n++;
		return;
	}
	if (t->n == t->cap) {
		merge_equal(t);
		if (t->n >= t->cap / 2) {
			t->cap = t->cap ? t->cap * 4 : LIST_MIN;
			t->items =
				mem_resize(t->items, t->cap, sizeof(*t->items));
			t->room = mem_resize(t->room, t->cap, sizeof(*t->room));
		}
	}
	t->items[t->n++] =
		(struct tally){kept ? name : arena_copy(a, name, len),
			       (uint32_t)len, 1, start_of(name, len)};
}

static int count_memory(void *ctx, const struct record *r)
{
	struct count *c = ctx;
	struct stats *s = c->stats;
	const char *source = r->source ? r->source : "(none)";
	struct view_ref ref;
	const bool kept = view_keep(c->cache, r, &ref);
	const bool apart = !c->sensitive && record_marks(r) & MARK_SENSITIVE;

	s->memories++;
	s->bytes += r->content_len;
	for (size_t i = 0; i < r->ntags; i++) {
		count_name(&s->tags, r->tags[i], strlen(r->tags[i]), kept,
			   c->arena);
		if (apart)
			count_name(&c->tags, r->tags[i], strlen(r->tags[i]),
				   false, c->arena);
	}
	count_name(&s->sources, source, strlen(source), kept, c->arena);
	if (apart)
		count_name(&c->sources, source, strlen(source), false,
			   c->arena);
	count_name(&s->months, r->created, strlen("2026-02"), kept, c->arena);
	return 0;
}

static int count_record(void *ctx, const struct record *r)
{
	size_t *n = ctx;

	*n += !layout_is_accepted(r->path);
	return 0;
}

/* Remove from ALL the names of APART that occur nowhere else. Both are sorted
 * by name. Return their number. */
static size_t drop_sensitive_only(struct tallies *all, struct tallies *apart)
{
	size_t n = 0, k = 0;

	if (!apart->n)
		return 0;
	merge_equal(apart);
	for (size_t i = 0; i < all->n; i++) {
		const struct tally *one = &all->items[i];

		while (k < apart->n && by_name(&apart->items[k], one) < 0)
			k++;
		if (k < apart->n && !by_name(&apart->items[k], one) &&
		    apart->items[k].n == one->n)
			continue;
		all->items[n++] = *one;
	}
	k = all->n - n;
	all->n = n;
	return k;
}

/* Complete T after the count: remove the names that only APART has (unless it
 * is NULL), sort, and copy the names into A. Return the number of names
 * removed. */
static size_t finish_tallies(struct tallies *t, struct tallies *apart,
			     bool most_first, struct arena *a)
{
	size_t size = 0, left_out;
	char *p;

	merge_equal(t);
	left_out = apart ? drop_sensitive_only(t, apart) : 0;
	if (most_first)
		radix_sort(t, true);
	for (size_t i = 0; i < t->n; i++)
		size += t->items[i].len + 1;
	p = arena_alloc(a, size);
	for (size_t i = 0; i < t->n; i++) {
		struct tally *one = &t->items[i];

		one->name = memcpy(p, one->name, one->len);
		p += one->len + 1;
	}
	return left_out;
}

static void release_tallies(struct tallies *t)
{
	free(t->items);
	free(t->room);
}

int stats_count(struct store *s, bool sensitive, struct arena *a,
		struct stats *out, struct err *e)
{
	struct count c = {out, s->cache, a, .sensitive = sensitive};
	int r = 0;

	*out = (struct stats){0};
	cache_hold(s->cache, REFRESH_DOCUMENTS, NULL);
	if (store_each(s, AREA_MEMORIES, count_memory, &c, e) < 0 ||
	    article_count(s, &out->articles, e) < 0 ||
	    store_each(s, AREA_DRAFTS, count_record, &out->drafts, e) < 0 ||
	    store_each(s, AREA_TRASH, count_record, &out->trash, e) < 0) {
		stats_release(out);
		r = -1;
	}
	out->tags_kept_back = finish_tallies(&out->tags, &c.tags, true, a);
	out->sources_kept_back =
		finish_tallies(&out->sources, &c.sources, true, a);
	finish_tallies(&out->months, NULL, false, a);
	release_tallies(&c.tags);
	release_tallies(&c.sources);
	return r;
}

void stats_release(struct stats *s)
{
	struct tallies *const all[] = {&s->tags, &s->sources, &s->months};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		release_tallies(all[i]);
	*s = (struct stats){0};
}
