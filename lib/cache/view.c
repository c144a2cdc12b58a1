/* view.c: handing out what a sweep has found, straight from the sidecar.
 *
 * Strings were checked by the sweep; a body is checked when it is asked for.
 */
#include "cache/view.h"

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
	return c->side.identity;
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

uint32_t view_last(const struct cache *c)
{
	return c->side.next - 1;
}

const void *view_note(const struct cache *c, enum view_note which)
{
	_Static_assert(VIEW_NNOTES * VIEW_NOTE_SIZE <= CATALOG_NOTES,
		       "the notes have room");
	return c->side.notes + (size_t)which * VIEW_NOTE_SIZE;
}

void view_reset(struct cache *c)
{
	free(c->docs);
	c->docs = NULL;
	c->ndocs = 0;
}

static uint32_t number_at(const struct cache *c, uint32_t index)
{
	return catalog_entry(&c->side, index)->number;
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
	const size_t n = catalog_count(&c->side);
	bool sorted = true;
	uint32_t last = 0;

	if (c->docs)
		return;
	c->docs = mem_resize(NULL, n + 1, sizeof(*c->docs));
	for (size_t i = 0; i < n; i++) {
		const struct catalog_entry *e = catalog_entry(&c->side, i);

		if (!e->number || e->flags & CATALOG_GONE)
			continue;
		sorted &= e->number > last;
		last = e->number;
		c->docs[c->ndocs++] = (uint32_t)i;
	}
	if (!sorted)
		sort_docs(c);
}

size_t view_count(struct cache *c)
{
	list_docs(c);
	return c->ndocs;
}

const char *view_path(const struct cache *c, const char *path, struct arena *a)
{
	if (c->same_path)
		return path;
	return arena_printf(a, "%s%s", c->repo->path, path + strlen(c->path));
}

const char *view_shown(const struct cache *c, const struct catalog_entry *e,
		       struct arena *a)
{
	const char *path = catalog_meta(&c->side, e);

	if (strcmp(c->side.folders[e->folder].path, LAYOUT_SHARED) != 0)
		return view_path(c, path, a);
	return arena_printf(a, "%s%s", layout_path(c->repo, LAYOUT_SHARED, a),
			    strrchr(path, '/'));
}

/* Set what D has of E beside strings. */
static void fill_numbers(const struct cache *c, const struct catalog_entry *e,
			 struct view_doc *d)
{
	d->number = e->number;
	d->at = (struct instant){e->sec, e->nsec};
	d->kind = VIEW_MEMORY;
	d->group = d->order = 0;
	if (e->kind != CATALOG_SECTION)
		return;
	d->kind =
		*c->side.folders[e->folder].path ? VIEW_ARTICLE : VIEW_CATEGORY;
	d->group = e->file + 1;
	d->order = e->place;
}

/* Fill D from entry INDEX, but for path and text; false if it is damaged. */
static bool fill_head(const struct cache *c, uint32_t index, struct view_doc *d)
{
	const struct catalog_entry *e = catalog_entry(&c->side, index);
	struct catalog_strings text;

	if (!catalog_strings(e, catalog_meta(&c->side, e), &text))
		return false;
	*d = (struct view_doc){.id = e->id,
			       .created = text.created,
			       .tags = text.tags,
			       .ntags = e->ntags,
			       .source = text.source,
			       .title = text.title,
			       .len = e->body_len,
			       .hash = e->doc_hash};
	fill_numbers(c, e, d);
	return true;
}

/* The same and the rest, of which the body is checked where CHECK says so. */
static bool fill(struct cache *c, uint32_t index, bool check,
		 struct view_doc *d)
{
	const struct catalog_entry *e = catalog_entry(&c->side, index);

	if ((check && !catalog_body(&c->side, e)) || !fill_head(c, index, d)) {
		c->damaged = true;
		return false;
	}
	d->text = catalog_meta(&c->side, e) + e->meta_len;
	if (e->kind == CATALOG_SECTION)
		e = catalog_entry(&c->side, e->file);
	d->path = view_path(c, catalog_meta(&c->side, e), &c->arena);
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

int view_each(struct cache *c, uint32_t above, view_doc_fn *fn, void *ctx)
{
	struct view_doc d;
	int r = 0;

	list_docs(c);
	if (above == UINT32_MAX)
		return 0;
	for (size_t i = search(c, above + 1); i < c->ndocs && !r; i++) {
		arena_reset(&c->arena);
		if (fill(c, c->docs[i], true, &d))
			r = fn(ctx, &d);
	}
	return r;
}

bool view_head(const struct cache *c, size_t i, struct view_doc *d)
{
	const struct catalog_entry *e = catalog_entry(&c->side, c->docs[i]);

	fill_numbers(c, e, d);
	return catalog_source(e, catalog_meta(&c->side, e), &d->source);
}

void view_spoil(struct cache *c)
{
	c->damaged = true;
}

bool view_index(struct cache *c, uint32_t number, uint32_t *index)
{
	size_t i;

	list_docs(c);
	i = search(c, number);
	if (i == c->ndocs || number_at(c, c->docs[i]) != number)
		return false;
	*index = c->docs[i];
	return true;
}

static bool find(struct cache *c, uint32_t number, bool check,
		 struct view_doc *d)
{
	uint32_t index;

	arena_reset(&c->arena);
	return view_index(c, number, &index) && fill(c, index, check, d);
}

bool view_find(struct cache *c, uint32_t number, struct view_doc *d)
{
	return find(c, number, true, d);
}

bool view_find_again(struct cache *c, uint32_t number, struct view_doc *d)
{
	return find(c, number, false, d);
}
