/* view.c: give out what a refresh found, directly from the catalog.
 *
 * The refresh has checked the strings; a body is checked when it is read.
 */
#include "cache/view.h"

#include <errno.h>
#include <fcntl.h>

int view_dir(const struct cache *c)
{
	return c->dir.fd;
}

const char *view_folder_path(const struct cache *c)
{
	return c->dir.path;
}

uint64_t view_identity(const struct cache *c)
{
	return c->catalog.identity;
}

bool view_damaged(const struct cache *c)
{
	return c->damaged;
}

bool view_kept(const struct cache *c)
{
	return c->kept;
}

const struct view_news *view_news(const struct cache *c)
{
	return &c->news;
}

const void *view_note(const struct cache *c, enum view_note which)
{
	_Static_assert(VIEW_NNOTES * VIEW_NOTE_SIZE <= CATALOG_NOTES,
		       "the notes have room");
	return c->catalog.notes + (size_t)which * VIEW_NOTE_SIZE;
}

void view_reset(struct cache *c)
{
	free(c->docs);
	c->docs = NULL;
	c->ndocs = c->ngone = 0;
}

static uint32_t number_at(const struct cache *c, uint32_t index)
{
	return catalog_entry(&c->catalog, index)->number;
}

static bool is_gone(const struct catalog_entry *e)
{
	return e->flags & CATALOG_GONE;
}

/* Used to sort documents by number. */
struct numbered_doc {
	uint32_t number, index;
	bool exists;
};

static int by_number(const void *a, const void *b)
{
	const struct numbered_doc *x = a, *y = b;

	if (x->number != y->number)
		return x->number > y->number ? 1 : -1;
	return x->exists - y->exists;
}

static void sort_docs(struct cache *c, uint32_t *docs, size_t n)
{
	struct numbered_doc *all = mem_resize(NULL, n, sizeof(*all));

	for (size_t i = 0; i < n; i++) {
		const struct catalog_entry *e =
			catalog_entry(&c->catalog, docs[i]);

		all[i] = (struct numbered_doc){e->number, docs[i], !is_gone(e)};
	}
	qsort(all, n, sizeof(*all), by_number);
	for (size_t i = 0; i < n; i++)
		docs[i] = all[i].index;
	free(all);
}

static void list_docs(struct cache *c)
{
	const size_t n = catalog_count(&c->catalog);
	bool sorted = true;
	uint32_t last = 0;

	if (c->docs)
		return;
	c->docs = mem_resize(NULL, n + 1, sizeof(*c->docs));
	for (size_t i = 0; i < n; i++) {
		const struct catalog_entry *e = catalog_entry(&c->catalog, i);

		if (!e->number)
			continue;
		if (is_gone(e)) {
			c->ngone += e->number < VIEW_GUESS;
			continue;
		}
		sorted &= e->number > last;
		last = e->number;
		c->docs[c->ndocs++] = (uint32_t)i;
	}
	if (!sorted)
		sort_docs(c, c->docs, c->ndocs);
}

size_t view_count_gone(struct cache *c)
{
	list_docs(c);
	return c->ngone;
}

size_t view_count(struct cache *c)
{
	list_docs(c);
	return c->ndocs;
}

static const char *shown_path(const struct cache *c, const char *path,
			      struct arena *a)
{
	if (c->same_path)
		return path;
	return arena_printf(a, "%s%s", c->repo->path, path + strlen(c->path));
}

const char *view_shown(const struct cache *c, const struct catalog_entry *e,
		       struct arena *a)
{
	const char *path = catalog_meta(&c->catalog, e);

	if (strcmp(c->catalog.folders[e->folder].path, LAYOUT_SHARED) != 0)
		return shown_path(c, path, a);
	return arena_printf(a, "%s%s", layout_path(c->repo, LAYOUT_SHARED, a),
			    strrchr(path, '/'));
}

/* Set the fields of D that are not strings from E. */
static void fill_numbers(const struct cache *c, const struct catalog_entry *e,
			 struct view_doc *d)
{
	d->number = e->number;
	d->at = (struct instant){e->sec, e->nsec};
	d->kind = VIEW_MEMORY;
	d->group = d->order = 0;
	d->gone = is_gone(e);
	d->said = e->source;
	d->marked = e->flags & CATALOG_MARKED;
	if (e->kind != CATALOG_SECTION)
		return;
	/* If the file's entry cannot be read, assume a mark. */
	d->marked = e->file >= catalog_count(&c->catalog) ||
		    catalog_entry(&c->catalog, e->file)->flags & CATALOG_MARKED;
	d->kind = *c->catalog.folders[e->folder].path ? VIEW_ARTICLE
						      : VIEW_CATEGORY;
	d->group = e->file + 1;
	d->order = e->place;
}

/* Fill D from entry INDEX, without path and text. Return false if it is
 * damaged. */
static bool fill_head(const struct cache *c, uint32_t index, struct view_doc *d)
{
	const struct catalog_entry *e = catalog_entry(&c->catalog, index);
	struct catalog_strings text;

	if (!catalog_strings(e, catalog_meta(&c->catalog, e), &text))
		return false;
	*d = (struct view_doc){.id = e->id,
			       .created = text.created,
			       .tags = text.tags,
			       .ntags = e->ntags,
			       .source = text.source,
			       .title = text.title,
			       .keys = text.keys,
			       .len = e->body_len};
	fill_numbers(c, e, d);
	return true;
}

/* Return true if E may be read. A refresh checks all entries; cache_take()
 * none. */
static bool is_verified(const struct cache *c, const struct catalog_entry *e)
{
	return !c->taken || catalog_check(&c->catalog, e);
}

/* Set *KEYS to those of E, the entry of a file with sections. Return false if E
 * is damaged. */
static bool file_keys(struct cache *c, const struct catalog_entry *e,
		      struct record_keys *keys)
{
	struct catalog_strings text;

	if (!is_verified(c, e) ||
	    !catalog_strings(e, catalog_meta(&c->catalog, e), &text)) {
		c->damaged = true;
		return false;
	}
	*keys = text.keys;
	return true;
}

/* Fill D from entry INDEX, and check the body if CHECK. Return false if it is
 * damaged. */
static bool fill_document(struct cache *c, uint32_t index, bool check,
			  struct view_doc *d)
{
	const struct catalog_entry *e = catalog_entry(&c->catalog, index);

	if ((check && !(is_verified(c, e) && catalog_body(&c->catalog, e))) ||
	    !fill_head(c, index, d)) {
		c->damaged = true;
		return false;
	}
	d->text = catalog_meta(&c->catalog, e) + e->meta_len;
	if (e->kind == CATALOG_SECTION) {
		e = catalog_entry(&c->catalog, e->file);
		if (!file_keys(c, e, &d->keys))
			return false;
	}
	d->path = shown_path(c, catalog_meta(&c->catalog, e), &c->arena);
	return true;
}

/* Return the position in c->docs of NUMBER, or of the next higher one. */
static size_t find_position(const struct cache *c, uint32_t number)
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

static int call_for_document(struct cache *c, uint32_t index, view_doc_fn *fn,
			     void *ctx)
{
	struct view_doc d;

	arena_reset(&c->arena);
	return fill_document(c, index, true, &d) ? fn(ctx, &d) : 0;
}

int view_each(struct cache *c, uint32_t above, view_doc_fn *fn, void *ctx)
{
	int r = 0;

	list_docs(c);
	if (above == UINT32_MAX)
		return 0;
	for (size_t i = find_position(c, above + 1); i < c->ndocs && !r; i++)
		r = call_for_document(c, c->docs[i], fn, ctx);
	return r;
}

/* A section that two states of its file share has one number and two
 * entries. */
int view_each_known(struct cache *c, uint32_t above, view_doc_fn *fn, void *ctx)
{
	const size_t count = catalog_count(&c->catalog);
	uint32_t *all;
	size_t n = 0;
	int r = 0;

	if (!view_count_gone(c))
		return view_each(c, above, fn, ctx);
	all = mem_resize(NULL, count + 1, sizeof(*all));
	/* Of entries that share a number, one that is not gone comes last. */
	for (size_t i = 0; i < count; i++) {
		const struct catalog_entry *e = catalog_entry(&c->catalog, i);

		if (e->number > above &&
		    (!is_gone(e) || e->number < VIEW_GUESS))
			all[n++] = (uint32_t)i;
	}
	if (n)
		sort_docs(c, all, n);
	for (size_t i = 0; i < n && !r; i++) {
		if (i + 1 == n ||
		    number_at(c, all[i]) != number_at(c, all[i + 1]))
			r = call_for_document(c, all[i], fn, ctx);
	}
	free(all);
	return r;
}

size_t view_places(const struct cache *c)
{
	return c->docs ? c->ndocs : catalog_count(&c->catalog);
}

/* Return the entry at place I. */
static const struct catalog_entry *entry_at(const struct cache *c, size_t i)
{
	return catalog_entry(&c->catalog, c->docs ? c->docs[i] : i);
}

int view_head(const struct cache *c, size_t i, struct view_doc *d)
{
	const struct catalog_entry *e = entry_at(c, i);

	if (!e->number || is_gone(e)) {
		d->gone = e->number && e->number < VIEW_GUESS;
		return 0;
	}
	/* A damaged entry is detected when it is shown. Until then it may get a
	 * wrong rank. */
	if (e->folder >= c->catalog.nfolders)
		return -1;
	fill_numbers(c, e, d);
	return 1;
}

void view_put(struct cache *c, uint32_t *places, size_t n, size_t gone)
{
	if (c->docs) {
		free(places);
		return;
	}
	c->docs = places;
	c->ndocs = n;
	c->ngone = gone;
}

bool view_source(const struct cache *c, size_t i, const char **source)
{
	const struct catalog_entry *e = entry_at(c, i);

	return is_verified(c, e) &&
	       catalog_source(e, catalog_meta(&c->catalog, e), source);
}

void view_spoil(struct cache *c)
{
	c->damaged = true;
}

static bool find_index(struct cache *c, uint32_t number, uint32_t *index)
{
	size_t i;

	list_docs(c);
	i = find_position(c, number);
	if (i == c->ndocs || number_at(c, c->docs[i]) != number)
		return false;
	*index = c->docs[i];
	return true;
}

void view_date(struct cache *c, uint32_t number, struct instant *at,
	       int64_t *id)
{
	const struct catalog_entry *e;
	uint32_t index;

	*at = (struct instant){0};
	*id = 0;
	if (!find_index(c, number, &index))
		return;
	e = catalog_entry(&c->catalog, index);
	*at = (struct instant){e->sec, e->nsec};
	*id = e->id;
}

static bool find_document(struct cache *c, uint32_t number, bool check,
			  struct view_doc *d)
{
	uint32_t index;

	arena_reset(&c->arena);
	return find_index(c, number, &index) &&
	       fill_document(c, index, check, d);
}

bool view_find(struct cache *c, uint32_t number, struct view_doc *d)
{
	return find_document(c, number, true, d);
}

void view_find_again(struct cache *c, uint32_t number, struct view_doc *d)
{
	find_document(c, number, false, d);
}

/* Below this number of records, starting a thread takes longer. */
#define SIFT_LEAST 2048

/* The directory that call_plain() opened last. */
struct open_folder {
	struct cache *c;
	uint32_t folder;
	int dir; /* -1: none */
};

static void release_walk(struct open_folder *o, struct arena *a)
{
	file_close(o->dir);
	arena_release(a);
}

/* Call PLAIN for the file of E. */
static int call_plain(struct open_folder *o, const struct catalog_entry *e,
		      layout_fn *plain, void *ctx, struct arena *a,
		      struct err *err)
{
	struct cache *c = o->c;
	const char *path = view_shown(c, e, a);
	struct layout_file f = {.name = strrchr(path, '/') + 1, .path = path};
	struct stat st;
	int r = 1;

	if (o->dir < 0 || o->folder != e->folder) {
		file_close(o->dir);
		o->folder = e->folder;
		r = layout_open(c->repo, c->catalog.folders[e->folder].path,
				&o->dir, err);
	}
	if (r != 1)
		return r;
	f.dir = o->dir;
	if (fstatat(f.dir, f.name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
			       ? 0
			       : err_sys(err, "cannot look at '%s'", path);
	f.kind = file_kind_of(st.st_mode);
	return plain(ctx, &f, err);
}

/* Fill R from E, whose strings begin at META. Return false if it is damaged. */
static bool read_record(const struct cache *c, const struct catalog_entry *e,
			const char *meta, struct arena *a, struct record *r)
{
	struct catalog_strings text;
	const char *tag;

	if (!catalog_strings(e, meta, &text))
		return false;
	*r = (struct record){.id = e->id,
			     .path = shown_path(c, meta, a),
			     .scope = c->repo->root.scope,
			     .created = text.created,
			     .at = {e->sec, e->nsec},
			     .ntags = e->ntags,
			     .source = text.source,
			     .keys = text.keys,
			     .content = meta + e->meta_len,
			     .content_len = e->body_len};
	if (!r->ntags)
		return true;
	r->tags = arena_alloc(a, r->ntags * sizeof(*r->tags));
	tag = text.tags;
	for (size_t i = 0; i < r->ntags; i++, tag += strlen(tag) + 1)
		r->tags[i] = tag;
	return true;
}

/* Like read_record(), and check the body. */
static bool fill_record(const struct cache *c, const struct catalog_entry *e,
			struct arena *a, struct record *r)
{
	return catalog_body(&c->catalog, e) &&
	       read_record(c, e, catalog_meta(&c->catalog, e), a, r);
}

/* Return true if E is a memory, or a file that should be one. */
static bool is_memory(const struct cache *c, const struct catalog_entry *e)
{
	return !(e->flags & CATALOG_GONE) &&
	       (e->kind == CATALOG_MEMORY ||
		(e->kind == CATALOG_PLAIN &&
		 refresh_area(c->catalog.folders[e->folder].path) ==
			 REFRESH_MEMORIES));
}

/* Return true if the caller must read the file of E. */
static bool is_to_read(const struct catalog_entry *e)
{
	return e->kind != CATALOG_MEMORY || e->flags & CATALOG_UNMERGED;
}

/* The state of filter_records(): threads run TEST on each record. */
struct record_filter {
	const struct cache *c;
	record_test_fn *test;
	void *ctx;
	struct arena arenas[PARALLEL_MAX];
	atomic_bool over; /* a test could not tell: the rest is not worth
			   * testing */
	unsigned char *found;
};

enum found { FOUND_UNKNOWN, FOUND_OUT, FOUND_IN };

static enum found filter_record(struct record_filter *s, unsigned who, size_t i)
{
	const struct catalog_entry *entry = catalog_entry(&s->c->catalog, i);
	struct arena *a = &s->arenas[who];
	struct record r;
	int wanted;

	if (!is_memory(s->c, entry))
		return FOUND_OUT;
	arena_reset(a);
	if (is_to_read(entry) || !fill_record(s->c, entry, a, &r))
		return FOUND_UNKNOWN;
	wanted = s->test(s->ctx, who, &r, NULL);
	if (wanted < 0)
		atomic_store(&s->over, true);
	return wanted < 0 ? FOUND_UNKNOWN : wanted ? FOUND_IN : FOUND_OUT;
}

static void filter_range(void *ctx, unsigned who, size_t from, size_t to)
{
	struct record_filter *s = ctx;

	for (size_t i = from; i < to && !atomic_load(&s->over); i++)
		s->found[i] = (unsigned char)filter_record(s, who, i);
}

/* Return the result of TEST for each entry, as far as it is known. The caller
 * frees it. */
static unsigned char *filter_records(const struct cache *c,
				     record_test_fn *test, void *ctx)
{
	const size_t n = catalog_count(&c->catalog);
	struct record_filter s = {
		.c = c, .test = test, .ctx = ctx, .found = mem_alloc(n)};
	struct parallel threads;

	/* Allocate the arenas' first blocks before there are threads, which
	 * would each get a heap of its own. */
	for (size_t i = 0; i < PARALLEL_MAX && n >= SIFT_LEAST; i++)
		arena_alloc(&s.arenas[i], 1);
	parallel_begin(&threads, filter_range, &s, n, SIFT_LEAST);
	parallel_end(&threads);
	for (size_t i = 0; i < PARALLEL_MAX; i++)
		arena_release(&s.arenas[i]);
	return s.found;
}

/* The texts of entries are released after this number of entries, since they
 * are read once. */
#define RELEASED 4096

/* The state of view_each_record(). */
struct record_walk {
	struct open_folder o;
	struct arena arena;
	record_test_fn *test;
	view_record_fn *fn;
	layout_fn *plain;
	void *ctx;
};

/* Call FN or PLAIN for entry I, a memory's, if it is wanted. FOUND is the
 * result of filter_records(). */
static int call_for_record(struct record_walk *h, size_t i, enum found found,
			   struct err *e)
{
	struct cache *c = h->o.c;
	const struct catalog_entry *entry = catalog_entry(&c->catalog, i);
	struct record record;
	int wanted = 1;

	if (!is_to_read(entry) && !h->fn)
		return 0;
	arena_reset(&h->arena);
	if (is_to_read(entry))
		return call_plain(&h->o, entry, h->plain, h->ctx, &h->arena, e);
	/* filter_records() has checked its body. */
	if (!(found == FOUND_IN
		      ? read_record(c, entry, catalog_meta(&c->catalog, entry),
				    &h->arena, &record)
		      : fill_record(c, entry, &h->arena, &record))) {
		c->damaged = true;
		return call_plain(&h->o, entry, h->plain, h->ctx, &h->arena, e);
	}
	if (h->test && found == FOUND_UNKNOWN)
		wanted = h->test(h->ctx, 0, &record, e);
	if (wanted != 1)
		return wanted;
	c->handed = &record;
	c->handed_entry = entry;
	wanted = h->fn(h->ctx, &record);
	c->handed = NULL;
	return wanted;
}

int view_each_record(struct cache *c, record_test_fn *test, view_record_fn *fn,
		     layout_fn *plain, void *ctx, struct err *e)
{
	struct record_walk h = {{c, 0, -1}, {0}, test, fn, plain, ctx};
	unsigned char *found = test ? filter_records(c, test, ctx) : NULL;
	size_t released = 0;
	int r = 0;

	for (size_t i = 0; i < catalog_count(&c->catalog) && !r; i++) {
		const enum found known =
			found ? (enum found)found[i] : FOUND_UNKNOWN;

		if (i - released == RELEASED) {
			catalog_release_texts(&c->catalog, released, i);
			released = i;
		}
		catalog_expect(&c->catalog, i);
		if (known != FOUND_OUT &&
		    is_memory(c, catalog_entry(&c->catalog, i)))
			r = call_for_record(&h, i, known, e);
	}
	release_walk(&h.o, &h.arena);
	free(found);
	return r;
}

int view_each_amiss(struct cache *c, layout_fn *fn, void *ctx, struct err *e)
{
	struct open_folder o = {c, 0, -1};
	struct arena a = {0};
	int r = 0;

	for (size_t i = 0; i < catalog_count(&c->catalog) && !r; i++) {
		const struct catalog_entry *entry =
			catalog_entry(&c->catalog, i);

		if (entry->flags & CATALOG_GONE ||
		    (entry->kind != CATALOG_PLAIN &&
		     (entry->kind != CATALOG_WHOLE ||
		      !(entry->flags & CATALOG_UNMERGED))) ||
		    refresh_area(c->catalog.folders[entry->folder].path) !=
			    REFRESH_ARTICLES)
			continue;
		arena_reset(&a);
		r = call_plain(&o, entry, fn, ctx, &a, e);
	}
	release_walk(&o, &a);
	return r;
}

int view_each_id(struct cache *c, unsigned what, view_id_fn *fn,
		 layout_fn *plain, void *ctx, struct err *e)
{
	struct open_folder o = {c, 0, -1};
	struct arena a = {0};
	uint32_t folder = UINT32_MAX; /* of the last entry, and its area */
	unsigned area = 0;
	int r = 0;

	for (size_t i = 0; i < catalog_count(&c->catalog) && !r; i++) {
		const struct catalog_entry *entry =
			catalog_entry(&c->catalog, i);

		if (entry->flags & CATALOG_GONE ||
		    entry->kind == CATALOG_SECTION)
			continue;
		if (entry->folder != folder) {
			folder = entry->folder;
			area = refresh_area(c->catalog.folders[folder].path);
		}
		if (!(area & what))
			continue;
		arena_reset(&a);
		if (entry->kind == CATALOG_PLAIN)
			r = call_plain(&o, entry, plain, ctx, &a, e);
		else
			r = fn(ctx, entry->id, view_shown(c, entry, &a));
	}
	release_walk(&o, &a);
	return r;
}

static bool make_ref(struct cache *c, const struct catalog_entry *e,
		     struct view_ref *ref)
{
	const size_t len = strlen(c->path);
	const char *meta = catalog_meta(&c->catalog, e);

	if (strncmp(meta, c->path, len) != 0 || meta[len] != '/')
		return false;
	c->lent = true;
	*ref = (struct view_ref){e, meta + len + 1};
	return true;
}

bool view_keep(struct cache *c, const struct record *r, struct view_ref *ref)
{
	return c && c->handed == r && make_ref(c, c->handed_entry, ref);
}

bool view_keep_number(struct cache *c, uint32_t number, struct view_ref *ref)
{
	uint32_t index;

	return find_index(c, number, &index) &&
	       make_ref(c, catalog_entry(&c->catalog, index), ref);
}

void view_kept_record(const struct cache *c, const struct view_ref *ref,
		      struct arena *a, struct record *r)
{
	read_record(c, ref->entry, ref->name - strlen(c->path) - 1, a, r);
}
