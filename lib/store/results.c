/* results.c: with a maximum, the hits are a heap (see base/top.h) until they are
 * sorted.
 */
#include "store/results.h"

#include "base/top.h"
#include "base/utf8.h"
#include "cache/cache.h"

#define SUMMARY_CHARACTERS 81 /* of the content, for its summary */
#define NO_STORE 2047u
_Static_assert(KNOWN_PROJECTS_MAX + 2 < NO_STORE, "each store has an index");
_Static_assert(sizeof(struct result) <= 40, "a hit is small");

/* A packed record. Its strings follow, each with its NUL: name, created, source, title,
 * worktree, keys, tags; then the content. */
struct packed {
	uint32_t ntags, len;
	bool source, title, worktree, keys, keys_cut;
	uint8_t kind;
	char name[];
};

/* Compare the stores of X and Y: the current project's is first, then the user's, then
 * those of other projects. */
static int compare_stores(const struct result *x, const struct result *y)
{
	if (x->other != y->other)
		return x->other ? 1 : -1;
	if (x->global != y->global)
		return x->global ? 1 : -1;
	return x->other ? (x->store > y->store) - (x->store < y->store) : 0;
}

static int compare_ids(const struct result *x, const struct result *y)
{
	const int r = compare_stores(x, y);

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (r)
		return r;
	return strcmp(x->name, y->name);
}

static int compare_times(const struct result *x, const struct result *y)
{
	if (x->sec != y->sec)
		return x->sec < y->sec ? -1 : 1;
	return (x->nsec > y->nsec) - (x->nsec < y->nsec);
}

static int by_id(const void *a, const void *b)
{
	return compare_ids(a, b);
}

static int by_created(const void *a, const void *b)
{
	const int r = compare_times(a, b);

	return r ? r : compare_ids(a, b);
}

static int newest(const void *a, const void *b)
{
	const struct result *x = a, *y = b;
	int r;

	if (x->words != y->words)
		return x->words > y->words ? -1 : 1;
	r = compare_times(y, x);
	if (r)
		return r;
	r = compare_stores(x, y);
	if (r)
		return r;
	if (x->id != y->id)
		return x->id > y->id ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Sort like qsort(), but in linear time if only a short tail is out of order. Memories
 * arrive in the order of the cache, and only those with newer random ids come last. */
static void sort_nearly_sorted(void *items, size_t n, size_t size,
			       int (*order)(const void *a, const void *b))
{
	char *const p = items, *tail;
	size_t head = 1, rest;

	while (head < n && order(p + (head - 1) * size, p + head * size) <= 0)
		head++;
	if (head >= n)
		return;
	if (head < n / 2) {
		qsort(p, n, size, order);
		return;
	}
	rest = n - head;
	qsort(p + head * size, rest, size, order);
	tail = mem_resize(NULL, rest, size);
	memcpy(tail, p + head * size, rest * size);
	for (; rest; rest--) {
		const char *last = tail + (rest - 1) * size;
		size_t low = 0, high = head;

		while (low < high) {
			const size_t middle = low + (high - low) / 2;

			if (order(p + middle * size, last) <= 0)
				low = middle + 1;
			else
				high = middle;
		}
		memmove(p + (low + rest) * size, p + low * size,
			(head - low) * size);
		memcpy(p + (low + rest - 1) * size, last, size);
		head = low;
	}
	free(tail);
}

static int (*const orders[])(const void *a, const void *b) = {
	[RESULTS_BY_ID] = by_id,
	[RESULTS_BY_CREATED] = by_created,
	[RESULTS_NEWEST] = newest,
};

static int compare(void *ctx, void *a, void *b)
{
	const struct results *h = ctx;

	return orders[h->order](a, b);
}

/* Return true if HIT belongs to the best H->max hits so far. */
static bool is_wanted(const struct results *h, const struct result *hit)
{
	if (!h->max || h->n < h->max)
		return true;
	return h->order != RESULTS_AS_ADDED &&
	       orders[h->order](hit, &h->items[0]) < 0;
}

static void keep_hit(struct results *h, const struct result *hit)
{
	const struct top top = {sizeof(*hit), compare, h};

	if (h->max && h->n == h->max) {
		h->items[0] = *hit;
		top_replaced(&top, h->items, h->n);
		return;
	}
	*MEM_ADD(h->items, h->n, h->cap) = *hit;
	if (h->max && h->order != RESULTS_AS_ADDED)
		top_added(&top, h->items, h->n);
}

/* Return the index of S in H, which is added if it is new. The search begins at the
 * end, since most hits are of the store that was added last. */
static unsigned index_of(struct results *h, struct store *s)
{
	size_t n = h->nstores;

	if (!s)
		return NO_STORE;
	while (n && h->stores[n - 1] != s)
		n--;
	if (n)
		return (unsigned)n - 1;
	*MEM_ADD(h->stores, h->nstores, h->stores_cap) = s;
	return (unsigned)h->nstores - 1;
}

/* Return the path of R below S's directory, or its absolute path if it is elsewhere. */
static const char *name_in(const struct store *s, const struct record *r)
{
	const size_t len = s ? strlen(s->repo.path) : 0;

	return s && !strncmp(r->path, s->repo.path, len) && r->path[len] == '/'
		       ? r->path + len + 1
		       : r->path;
}

static char *add_string(char *at, const char *s)
{
	const size_t size = strlen(s) + 1;

	memcpy(at, s, size);
	return at + size;
}

/* Pack R with NAME into the spool of H. Return the packed name. */
static const char *pack_record(struct results *h, const struct record *r,
			       const char *name)
{
	const size_t len = h->whole ? r->content_len
				    : utf8_prefix(r->content, r->content_len,
						  SUMMARY_CHARACTERS);
	const char *source = r->source ? r->source : "";
	const char *title = r->title ? r->title : "";
	const char *worktree = r->worktree ? r->worktree : "";
	const char *created = r->created ? r->created : "";
	const char *keys = r->keys.json ? r->keys.json : "";
	size_t size = sizeof(struct packed) + strlen(name) + strlen(created) +
		      strlen(source) + strlen(title) + strlen(worktree) +
		      strlen(keys) + 6 + len + 1;
	struct packed *p;
	char *at;

	for (size_t i = 0; i < r->ntags; i++)
		size += strlen(r->tags[i]) + 1;
	p = spool_alloc(&h->packed, size);
	*p = (struct packed){(uint32_t)r->ntags, (uint32_t)len,	  r->source,
			     r->title,		 r->worktree,	  r->keys.json,
			     r->keys.cut,	 (uint8_t)r->kind};
	at = add_string(p->name, name);
	at = add_string(at, created);
	at = add_string(at, source);
	at = add_string(at, title);
	at = add_string(at, worktree);
	at = add_string(at, keys);
	for (size_t i = 0; i < r->ntags; i++)
		at = add_string(at, r->tags[i]);
	if (len)
		memcpy(at, r->content, len);
	at[len] = '\0';
	return p->name;
}

static struct result describe_hit(struct results *h, struct store *s,
				  const struct record *r,
				  const struct result *extra)
{
	struct result hit = extra ? *extra : (struct result){0};

	hit.sec = r->at.sec;
	hit.nsec = r->at.nsec;
	hit.id = (int32_t)r->id;
	hit.store = index_of(h, s) & NO_STORE;
	hit.global = r->scope == SCOPE_GLOBAL;
	hit.other = s && s->elsewhere;
	return hit;
}

void results_add(struct results *h, struct store *s, const struct record *r,
		 const struct result *extra)
{
	struct result hit = describe_hit(h, s, r, extra);
	struct view_ref ref;

	hit.name = name_in(s, r);
	h->seen++;
	if (!is_wanted(h, &hit))
		return;
	if (s && view_keep(s->cache, r, &ref)) {
		hit.name = ref.name;
		hit.entry = ref.entry;
	} else {
		hit.name = pack_record(h, r, hit.name);
	}
	keep_hit(h, &hit);
}

void results_add_number(struct results *h, struct store *s, uint32_t number,
			const struct result *extra)
{
	struct arena a = {0};
	struct view_ref ref;
	struct record r;
	struct result hit;

	if (!view_keep_number(s->cache, number, &ref))
		return;
	view_kept_record(s->cache, &ref, &a, &r);
	hit = describe_hit(h, s, &r, extra);
	hit.name = ref.name;
	hit.entry = ref.entry;
	if (is_wanted(h, &hit))
		keep_hit(h, &hit);
	arena_release(&a);
}

void results_sort(struct results *h)
{
	if (h->n && h->order != RESULTS_AS_ADDED)
		sort_nearly_sorted(h->items, h->n, sizeof(*h->items),
				   orders[h->order]);
}

void results_reorder(struct results *h, enum results_order order)
{
	h->order = order;
	results_sort(h);
}

/* Set R to the packed record P, without the fields that the hit has. */
static void unpack_record(const struct packed *p, const char *path,
			  struct arena *a, struct record *r)
{
	const char *at = p->name + strlen(p->name) + 1;

	*r = (struct record){
		.kind = p->kind,
		.path = path,
		.created = at,
		.ntags = p->ntags,
		.content_len = p->len,
	};
	at += strlen(at) + 1;
	r->source = p->source ? at : NULL;
	at += strlen(at) + 1;
	r->title = p->title ? at : NULL;
	at += strlen(at) + 1;
	r->worktree = p->worktree ? at : NULL;
	at += strlen(at) + 1;
	r->keys = (struct record_keys){p->keys ? at : NULL, p->keys_cut};
	at += strlen(at) + 1;
	if (p->ntags)
		r->tags = arena_alloc(a, p->ntags * sizeof(*r->tags));
	for (size_t i = 0; i < p->ntags; i++, at += strlen(at) + 1)
		r->tags[i] = at;
	r->content = at;
}

void results_get(const struct results *h, const struct result *hit,
		 struct arena *a, struct record *r)
{
	const struct store *s =
		hit->store == NO_STORE ? NULL : h->stores[hit->store];

	if (hit->entry)
		view_kept_record(s->cache,
				 &(struct view_ref){hit->entry, hit->name}, a,
				 r);
	else
		unpack_record(
			(const struct packed *)(hit->name -
						offsetof(struct packed, name)),
			s && hit->name[0] != '/'
				? arena_printf(a, "%s/%s", s->repo.path,
					       hit->name)
				: hit->name,
			a, r);
	r->id = hit->id;
	r->at = (struct instant){hit->sec, hit->nsec};
	r->scope = hit->global ? SCOPE_GLOBAL : SCOPE_PROJECT;
	store_set_origin(s, r);
	r->partial = hit->partial;
	r->ranked = hit->ranked;
	if (hit->ranked)
		r->score = (double)hit->score +
			   (hit->literal ? RESULTS_LITERAL : 0);
	if (hit->ranked)
		r->coverage = hit->coverage / 10000.0;
}

const char *results_prefix(const struct results *h, const struct result *hit)
{
	const struct store *s =
		hit->store == NO_STORE ? NULL : h->stores[hit->store];

	return s && s->prefix
		       ? s->prefix
		       : record_scope_prefix(hit->global ? SCOPE_GLOBAL
							 : SCOPE_PROJECT);
}

void results_take(struct results *h, const struct results *from)
{
	struct arena a = {0};

	for (size_t i = 0; i < from->n; i++) {
		const struct result *hit = &from->items[i];
		struct store *s = hit->store == NO_STORE
					  ? NULL
					  : from->stores[hit->store];
		struct record r;
		struct result moved;

		results_get(from, hit, &a, &r);
		moved = describe_hit(h, s, &r, hit);
		moved.name = hit->name;
		moved.entry = hit->entry;
		if (!hit->entry)
			results_add(h, s, &r, hit);
		else if (is_wanted(h, &moved))
			keep_hit(h, &moved);
		arena_reset(&a);
	}
	arena_release(&a);
}

static int by_key(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Return true if two hits may have the same id, by ids and scopes only. Mostly there
 * are none, and this is faster than sorting the hits. */
static bool has_doubles(const struct results *h)
{
	uint64_t *keys = mem_resize(NULL, h->n + 1, sizeof(*keys));
	bool sorted = true, found = false;

	for (size_t i = 0; i < h->n; i++) {
		keys[i] = (uint64_t)h->items[i].id << 1 | h->items[i].global;
		sorted &= !i || keys[i - 1] <= keys[i];
	}
	if (!sorted)
		sort_nearly_sorted(keys, h->n, sizeof(*keys), by_key);
	for (size_t i = 1; i < h->n && !found; i++)
		found = keys[i - 1] == keys[i] && keys[i] > 1;
	free(keys);
	return found;
}

void results_each_double(const struct results *h, results_double_fn *fn,
			 void *ctx)
{
	struct arena a = {0};
	struct result *sorted;

	if (!has_doubles(h))
		return;
	sorted = mem_resize(NULL, h->n, sizeof(*sorted));
	memcpy(sorted, h->items, h->n * sizeof(*sorted));
	qsort(sorted, h->n, sizeof(*sorted), by_id);
	for (size_t i = 1; i < h->n; i++) {
		const struct result *x = &sorted[i - 1], *y = &sorted[i];
		struct record one, two;

		if (x->id != y->id || compare_stores(x, y) || !x->id)
			continue; /* a record that is not a memory has id 0 */
		arena_reset(&a);
		results_get(h, x, &a, &one);
		results_get(h, y, &a, &two);
		fn(ctx, &one, &two);
	}
	arena_release(&a);
	free(sorted);
}

void results_clear(struct results *h)
{
	h->n = h->seen = 0;
	spool_release(&h->packed);
}

void results_release(struct results *h)
{
	free(h->items);
	free(h->stores);
	spool_release(&h->packed);
	*h = (struct results){0};
}
