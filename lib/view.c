/* view.c: handing out what a sweep has found, straight from the sidecar.
 *
 * Strings were checked by the sweep; a body is checked when it is asked for.
 */
#include "view.h"

#include "crew.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Fewer texts are searched sooner than a thread is started. */
#define SIFT_LEAST 1024

int cache_dir(const struct cache *c)
{
	return c->dir.fd;
}

const char *cache_path(const struct cache *c)
{
	return c->dir.path;
}

uint64_t cache_identity(const struct cache *c)
{
	return c->side.identity;
}

bool cache_damaged(const struct cache *c)
{
	return c->damaged;
}

bool cache_kept(const struct cache *c)
{
	return c->kept;
}

const struct cache_news *cache_news(const struct cache *c)
{
	return &c->news;
}

uint32_t cache_last(const struct cache *c)
{
	return c->side.next - 1;
}

const void *cache_note(const struct cache *c, enum cache_note which)
{
	_Static_assert(CACHE_NNOTES * CACHE_NOTE_SIZE <= SIDECAR_NOTES,
		       "the notes have room");
	return c->side.notes + (size_t)which * CACHE_NOTE_SIZE;
}

void view_reset(struct cache *c)
{
	free(c->docs);
	c->docs = NULL;
	c->ndocs = 0;
}

static uint32_t number_at(const struct cache *c, uint32_t index)
{
	return sidecar_entry(&c->side, index)->number;
}

/* What is sorted when the newest come in another order than by number. */
struct numbered {
	uint32_t number, index;
};

static int by_number(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static void sort_docs(struct cache *c)
{
	struct numbered *all = mem_resize(NULL, c->ndocs, sizeof(*all));

	for (size_t i = 0; i < c->ndocs; i++)
		all[i] =
			(struct numbered){number_at(c, c->docs[i]), c->docs[i]};
	qsort(all, c->ndocs, sizeof(*all), by_number);
	for (size_t i = 0; i < c->ndocs; i++)
		c->docs[i] = all[i].index;
	free(all);
}

static void list_docs(struct cache *c)
{
	const size_t n = sidecar_count(&c->side);
	bool sorted = true;
	uint32_t last = 0;

	if (c->docs)
		return;
	c->docs = mem_resize(NULL, n + 1, sizeof(*c->docs));
	for (size_t i = 0; i < n; i++) {
		const struct sidecar_entry *e = sidecar_entry(&c->side, i);

		if (!e->number || e->flags & SIDECAR_GONE)
			continue;
		sorted &= e->number > last;
		last = e->number;
		c->docs[c->ndocs++] = (uint32_t)i;
	}
	if (!sorted)
		sort_docs(c);
}

size_t cache_count(struct cache *c)
{
	list_docs(c);
	return c->ndocs;
}

/* The path of the file E as the store is shown, in A unless it is kept so. */
static const char *shown(const struct cache *c, const struct sidecar_entry *e,
			 struct arena *a)
{
	const char *path = sidecar_meta(&c->side, e);

	if (c->same_path)
		return path;
	return arena_printf(a, "%s%s", c->store->path, path + strlen(c->path));
}

/* Fill D from entry INDEX, but for path and text; false, and C is damaged, if
 * that cannot be. */
static bool fill_head(struct cache *c, uint32_t index, struct cache_doc *d)
{
	const struct sidecar_entry *e = sidecar_entry(&c->side, index);
	struct sidecar_strings text;

	if (!sidecar_strings(&c->side, e, &text)) {
		c->damaged = true;
		return false;
	}
	*d = (struct cache_doc){.number = e->number,
				.id = e->id,
				.created = text.created,
				.at = {e->sec, e->nsec},
				.tags = text.tags,
				.ntags = e->ntags,
				.source = text.source,
				.title = text.title,
				.len = e->body_len,
				.hash = e->doc_hash};
	if (e->kind != SIDECAR_SECTION)
		return true;
	d->kind = *c->side.folders[e->folder].path ? CACHE_ARTICLE
						   : CACHE_CATEGORY;
	d->group = e->file + 1;
	d->order = e->place;
	return true;
}

static bool fill(struct cache *c, uint32_t index, struct cache_doc *d)
{
	const struct sidecar_entry *e = sidecar_entry(&c->side, index);
	const char *body = sidecar_body(&c->side, e);

	if (!body) {
		c->damaged = true;
		return false;
	}
	if (!fill_head(c, index, d))
		return false;
	d->text = body;
	d->path = shown(c,
			e->kind == SIDECAR_SECTION
				? sidecar_entry(&c->side, e->file)
				: e,
			&c->arena);
	return true;
}

/* Where NUMBER, or the first above it, stands among the documents. */
static size_t search(const struct cache *c, uint32_t number)
{
	size_t low = 0, high = c->ndocs;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (number_at(c, c->docs[middle]) < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int cache_each(struct cache *c, uint32_t above, cache_doc_fn *fn, void *ctx)
{
	struct cache_doc d;
	int r = 0;

	list_docs(c);
	if (above == UINT32_MAX)
		return 0;
	for (size_t i = search(c, above + 1); i < c->ndocs && !r; i++) {
		arena_reset(&c->arena);
		if (fill(c, c->docs[i], &d))
			r = fn(ctx, &d);
	}
	return r;
}

void cache_each_head(struct cache *c, cache_doc_fn *fn, void *ctx)
{
	struct cache_doc d;

	list_docs(c);
	for (size_t i = 0; i < c->ndocs; i++) {
		if (fill_head(c, c->docs[i], &d) && fn(ctx, &d))
			return;
	}
}

bool cache_find(struct cache *c, uint32_t number, struct cache_doc *d)
{
	size_t i;

	list_docs(c);
	i = search(c, number);
	return i < c->ndocs && number_at(c, c->docs[i]) == number &&
	       fill(c, c->docs[i], d);
}

/* What plain files need: the folder that was opened last. */
struct opened {
	struct cache *c;
	uint32_t folder;
	int dir; /* -1: none */
};

static enum file_kind kind_of(const struct stat *st)
{
	return S_ISREG(st->st_mode)   ? FILE_REGULAR
	       : S_ISDIR(st->st_mode) ? FILE_FOLDER
	       : S_ISLNK(st->st_mode) ? FILE_LINK
				      : FILE_OTHER;
}

/* Hand the file of E to PLAIN. */
static int hand_out(struct opened *o, const struct sidecar_entry *e,
		    shelf_fn *plain, void *ctx, struct arena *a,
		    struct err *err)
{
	struct cache *c = o->c;
	const char *path = shown(c, e, a);
	struct shelf_file f = {.name = strrchr(path, '/') + 1, .path = path};
	struct stat st;
	int r = 1;

	if (o->dir < 0 || o->folder != e->folder) {
		if (o->dir >= 0)
			close(o->dir);
		o->folder = e->folder;
		r = shelf_open(c->store, c->side.folders[e->folder].path,
			       &o->dir, err);
	}
	if (r != 1)
		return r;
	f.dir = o->dir;
	if (fstatat(f.dir, f.name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
			       ? 0
			       : err_sys(err, "cannot look at '%s'", path);
	f.kind = kind_of(&st);
	return plain(ctx, &f, err);
}

/* Fill R from E: false if it is damaged. */
static bool fill_record(const struct cache *c, const struct sidecar_entry *e,
			struct arena *a, struct record *r)
{
	struct sidecar_strings text;
	const char *body = sidecar_body(&c->side, e), *tag;

	if (!body || !sidecar_strings(&c->side, e, &text))
		return false;
	*r = (struct record){.id = e->id,
			     .path = shown(c, e, a),
			     .scope = c->store->root.scope,
			     .created = text.created,
			     .at = {e->sec, e->nsec},
			     .ntags = e->ntags,
			     .source = text.source,
			     .content = body,
			     .content_len = e->body_len};
	if (!r->ntags)
		return true;
	r->tags = arena_alloc(a, r->ntags * sizeof(*r->tags));
	tag = text.tags;
	for (size_t i = 0; i < r->ntags; i++, tag += strlen(tag) + 1)
		r->tags[i] = tag;
	return true;
}

/* True if E is of a memory, or of a file that should be one. */
static bool is_memory(const struct cache *c, const struct sidecar_entry *e)
{
	return !(e->flags & SIDECAR_GONE) &&
	       (e->kind == SIDECAR_MEMORY || e->kind == SIDECAR_PLAIN) &&
	       sweep_area(c->side.folders[e->folder].path) == CACHE_MEMORIES;
}

/* What a crew finds out about the records before they are handed out. */
struct sifting {
	const struct cache *c;
	record_test_fn *test;
	void *ctx;
	struct arena arenas[CREW_MAX];
	atomic_bool over; /* somebody could not tell: what follows is not
			   * worth asking */
	unsigned char *found;
};

enum found { FOUND_UNKNOWN, FOUND_OUT, FOUND_IN };

static enum found sift_one(struct sifting *s, unsigned who, size_t i)
{
	const struct sidecar_entry *entry = sidecar_entry(&s->c->side, i);
	struct arena *a = &s->arenas[who];
	struct record r;
	int wanted;

	if (!is_memory(s->c, entry))
		return FOUND_OUT;
	arena_reset(a);
	if (entry->kind != SIDECAR_MEMORY || !fill_record(s->c, entry, a, &r))
		return FOUND_UNKNOWN;
	wanted = s->test(s->ctx, who, &r, NULL);
	if (wanted < 0)
		atomic_store(&s->over, true);
	return wanted < 0 ? FOUND_UNKNOWN : wanted ? FOUND_IN : FOUND_OUT;
}

static void sift_some(void *ctx, unsigned who, size_t from, size_t to)
{
	struct sifting *s = ctx;

	for (size_t i = from; i < to && !atomic_load(&s->over); i++)
		s->found[i] = (unsigned char)sift_one(s, who, i);
}

/* What TEST says of each entry, as far as that can be told; yours. */
static unsigned char *sift(const struct cache *c, record_test_fn *test,
			   void *ctx)
{
	const size_t n = sidecar_count(&c->side);
	struct sifting s = {
		.c = c, .test = test, .ctx = ctx, .found = mem_alloc(n)};
	struct crew crew;

	/* The first block of memory is got before there are threads, which
	 * would get a heap each. */
	for (size_t i = 0; i < CREW_MAX && n >= SIFT_LEAST; i++)
		arena_alloc(&s.arenas[i], 1);
	crew_begin(&crew, sift_some, &s, n, SIFT_LEAST);
	crew_end(&crew);
	for (size_t i = 0; i < CREW_MAX; i++)
		arena_release(&s.arenas[i]);
	return s.found;
}

/* What a walk over records has. */
struct handing {
	struct opened o;
	struct arena arena;
	record_test_fn *test;
	cache_record_fn *fn;
	shelf_fn *plain;
	void *ctx;
};

/* Hand out entry I, a memory's, if it is wanted, of which FOUND tells. */
static int hand(struct handing *h, size_t i, enum found found, struct err *e)
{
	struct cache *c = h->o.c;
	const struct sidecar_entry *entry = sidecar_entry(&c->side, i);
	struct record record;
	int wanted = 1;

	arena_reset(&h->arena);
	if (entry->kind != SIDECAR_MEMORY)
		return hand_out(&h->o, entry, h->plain, h->ctx, &h->arena, e);
	if (!h->fn)
		return 0;
	if (!fill_record(c, entry, &h->arena, &record)) {
		c->damaged = true;
		return hand_out(&h->o, entry, h->plain, h->ctx, &h->arena, e);
	}
	if (h->test && found == FOUND_UNKNOWN)
		wanted = h->test(h->ctx, 0, &record, e);
	return wanted == 1 ? h->fn(h->ctx, &record) : wanted;
}

int cache_each_record(struct cache *c, record_test_fn *test,
		      cache_record_fn *fn, shelf_fn *plain, void *ctx,
		      struct err *e)
{
	struct handing h = {{c, 0, -1}, {0}, test, fn, plain, ctx};
	unsigned char *found = test ? sift(c, test, ctx) : NULL;
	int r = 0;

	for (size_t i = 0; i < sidecar_count(&c->side) && !r; i++) {
		const enum found known =
			found ? (enum found)found[i] : FOUND_UNKNOWN;

		if (known != FOUND_OUT &&
		    is_memory(c, sidecar_entry(&c->side, i)))
			r = hand(&h, i, known, e);
	}
	if (h.o.dir >= 0)
		close(h.o.dir);
	arena_release(&h.arena);
	free(found);
	return r;
}

int cache_each_id(struct cache *c, unsigned what, cache_id_fn *fn,
		  shelf_fn *plain, void *ctx, struct err *e)
{
	struct opened o = {c, 0, -1};
	struct arena a = {0};
	int r = 0;

	for (size_t i = 0; i < sidecar_count(&c->side) && !r; i++) {
		const struct sidecar_entry *entry = sidecar_entry(&c->side, i);

		if (entry->flags & SIDECAR_GONE ||
		    entry->kind == SIDECAR_SECTION ||
		    !(sweep_area(c->side.folders[entry->folder].path) & what))
			continue;
		arena_reset(&a);
		if (entry->kind == SIDECAR_PLAIN)
			r = hand_out(&o, entry, plain, ctx, &a, e);
		else
			r = fn(ctx, entry->id, shown(c, entry, &a));
	}
	if (o.dir >= 0)
		close(o.dir);
	arena_release(&a);
	return r;
}

static bool is_within(const char *p, const char *start, size_t len)
{
	return start && p >= start && p < start + len;
}

bool cache_keep(struct cache *c, const struct record *r, struct arena *a,
		struct record *out)
{
	if (!c || (!is_within(r->content, c->side.map, c->side.mapped) &&
		   !is_within(r->content, c->side.fresh.p, c->side.fresh.len)))
		return false;
	*out = *r;
	if (!c->same_path)
		out->path = arena_strdup(a, r->path);
	if (r->ntags) {
		out->tags = arena_alloc(a, r->ntags * sizeof(*out->tags));
		memcpy(out->tags, r->tags, r->ntags * sizeof(*out->tags));
	}
	c->lent = true;
	return true;
}
