/* view-records.c: straight from the sidecar, where a sweep has checked the
 * strings; a body is checked when it is first handed out.
 */
#include "cache/view-records.h"

#include "base/parallel.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Fewer texts are searched sooner than a thread is started. */
#define SIFT_LEAST 2048

/* What plain files need: the folder that was opened last. */
struct opened {
	struct cache *c;
	uint32_t folder;
	int dir; /* -1: none */
};

/* Hand the file of E to PLAIN. */
static int hand_out(struct opened *o, const struct catalog_entry *e,
		    layout_fn *plain, void *ctx, struct arena *a,
		    struct err *err)
{
	struct cache *c = o->c;
	const char *path = view_shown(c, e, a);
	struct layout_file f = {.name = strrchr(path, '/') + 1, .path = path};
	struct stat st;
	int r = 1;

	if (o->dir < 0 || o->folder != e->folder) {
		if (o->dir >= 0)
			close(o->dir);
		o->folder = e->folder;
		r = layout_open(c->repo, c->side.folders[e->folder].path,
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

/* Fill R from E, whose strings begin at META: false if it is damaged. */
static bool read_record(const struct cache *c, const struct catalog_entry *e,
			const char *meta, struct arena *a, struct record *r)
{
	struct catalog_strings text;
	const char *tag;

	if (!catalog_strings(e, meta, &text))
		return false;
	*r = (struct record){.id = e->id,
			     .path = view_path(c, meta, a),
			     .scope = c->repo->root.scope,
			     .created = text.created,
			     .at = {e->sec, e->nsec},
			     .ntags = e->ntags,
			     .source = text.source,
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

/* The same, its body checked as well. */
static bool fill_record(const struct cache *c, const struct catalog_entry *e,
			struct arena *a, struct record *r)
{
	return catalog_body(&c->side, e) &&
	       read_record(c, e, catalog_meta(&c->side, e), a, r);
}

/* True if E is of a memory, or of a file that should be one. */
static bool is_memory(const struct cache *c, const struct catalog_entry *e)
{
	return !(e->flags & CATALOG_GONE) &&
	       (e->kind == CATALOG_MEMORY ||
		(e->kind == CATALOG_PLAIN &&
		 refresh_area(c->side.folders[e->folder].path) ==
			 REFRESH_MEMORIES));
}

/* True if the file of E, a memory's or what should be one, is to be read. */
static bool is_to_read(const struct catalog_entry *e)
{
	return e->kind != CATALOG_MEMORY || e->flags & CATALOG_UNMERGED;
}

/* What a crew finds out about the records before they are handed out. */
struct sifting {
	const struct cache *c;
	record_test_fn *test;
	void *ctx;
	struct arena arenas[PARALLEL_MAX];
	atomic_bool over; /* somebody could not tell: what follows is not
			   * worth asking */
	unsigned char *found;
};

enum found { FOUND_UNKNOWN, FOUND_OUT, FOUND_IN };

static enum found sift_one(struct sifting *s, unsigned who, size_t i)
{
	const struct catalog_entry *entry = catalog_entry(&s->c->side, i);
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
	const size_t n = catalog_count(&c->side);
	struct sifting s = {
		.c = c, .test = test, .ctx = ctx, .found = mem_alloc(n)};
	struct parallel crew;

	/* The first block of memory is got before there are threads, which
	 * would get a heap each. */
	for (size_t i = 0; i < PARALLEL_MAX && n >= SIFT_LEAST; i++)
		arena_alloc(&s.arenas[i], 1);
	parallel_begin(&crew, sift_some, &s, n, SIFT_LEAST);
	parallel_end(&crew);
	for (size_t i = 0; i < PARALLEL_MAX; i++)
		arena_release(&s.arenas[i]);
	return s.found;
}

/* What a walk over records has. */
struct handing {
	struct opened o;
	struct arena arena;
	record_test_fn *test;
	view_record_fn *fn;
	layout_fn *plain;
	void *ctx;
};

/* Hand out entry I, a memory's, if it is wanted, of which FOUND tells. */
static int hand(struct handing *h, size_t i, enum found found, struct err *e)
{
	struct cache *c = h->o.c;
	const struct catalog_entry *entry = catalog_entry(&c->side, i);
	struct record record;
	int wanted = 1;

	if (!is_to_read(entry) && !h->fn)
		return 0;
	arena_reset(&h->arena);
	if (is_to_read(entry))
		return hand_out(&h->o, entry, h->plain, h->ctx, &h->arena, e);
	/* What was found was checked. */
	if (!(found == FOUND_IN
		      ? read_record(c, entry, catalog_meta(&c->side, entry),
				    &h->arena, &record)
		      : fill_record(c, entry, &h->arena, &record))) {
		c->damaged = true;
		return hand_out(&h->o, entry, h->plain, h->ctx, &h->arena, e);
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
	struct handing h = {{c, 0, -1}, {0}, test, fn, plain, ctx};
	unsigned char *found = test ? sift(c, test, ctx) : NULL;
	int r = 0;

	for (size_t i = 0; i < catalog_count(&c->side) && !r; i++) {
		const enum found known =
			found ? (enum found)found[i] : FOUND_UNKNOWN;

		if (known != FOUND_OUT &&
		    is_memory(c, catalog_entry(&c->side, i)))
			r = hand(&h, i, known, e);
	}
	if (h.o.dir >= 0)
		close(h.o.dir);
	arena_release(&h.arena);
	free(found);
	return r;
}

int view_each_amiss(struct cache *c, layout_fn *fn, void *ctx, struct err *e)
{
	struct opened o = {c, 0, -1};
	struct arena a = {0};
	int r = 0;

	for (size_t i = 0; i < catalog_count(&c->side) && !r; i++) {
		const struct catalog_entry *entry = catalog_entry(&c->side, i);

		if (entry->flags & CATALOG_GONE ||
		    refresh_area(c->side.folders[entry->folder].path) !=
			    REFRESH_ARTICLES ||
		    (entry->kind != CATALOG_PLAIN &&
		     (entry->kind != CATALOG_WHOLE ||
		      !(entry->flags & CATALOG_UNMERGED))))
			continue;
		arena_reset(&a);
		r = hand_out(&o, entry, fn, ctx, &a, e);
	}
	if (o.dir >= 0)
		close(o.dir);
	arena_release(&a);
	return r;
}

int view_each_id(struct cache *c, unsigned what, view_id_fn *fn,
		 layout_fn *plain, void *ctx, struct err *e)
{
	struct opened o = {c, 0, -1};
	struct arena a = {0};
	int r = 0;

	for (size_t i = 0; i < catalog_count(&c->side) && !r; i++) {
		const struct catalog_entry *entry = catalog_entry(&c->side, i);

		if (entry->flags & CATALOG_GONE ||
		    entry->kind == CATALOG_SECTION ||
		    !(refresh_area(c->side.folders[entry->folder].path) & what))
			continue;
		arena_reset(&a);
		if (entry->kind == CATALOG_PLAIN)
			r = hand_out(&o, entry, plain, ctx, &a, e);
		else
			r = fn(ctx, entry->id, view_shown(c, entry, &a));
	}
	if (o.dir >= 0)
		close(o.dir);
	arena_release(&a);
	return r;
}

static bool keep(struct cache *c, const struct catalog_entry *e,
		 struct view_ref *ref)
{
	const size_t len = strlen(c->path);
	const char *meta = catalog_meta(&c->side, e);

	if (strncmp(meta, c->path, len) != 0 || meta[len] != '/')
		return false;
	c->lent = true;
	*ref = (struct view_ref){e, meta + len + 1};
	return true;
}

bool view_keep(struct cache *c, const struct record *r, struct view_ref *ref)
{
	return c && c->handed == r && keep(c, c->handed_entry, ref);
}

bool view_keep_number(struct cache *c, uint32_t number, struct view_ref *ref)
{
	uint32_t index;

	return view_index(c, number, &index) &&
	       keep(c, catalog_entry(&c->side, index), ref);
}

void view_kept_record(const struct cache *c, const struct view_ref *ref,
		      struct arena *a, struct record *r)
{
	read_record(c, ref->entry, ref->name - strlen(c->path) - 1, a, r);
}
