/* checked.c: names are found by a table, which costs less than to open files. */
#include "cache/checked.h"

#include "base/hash.h"

struct checked {
	struct cache *c;
	uint64_t rules;
	bool known;  /* the marks are of these rules */
	size_t root; /* bytes of knowledge/, with the slash, before a path */
	struct table by_name; /* made when asked */
	bool *clean;	      /* of each folder; and the same as it was kept */
	bool changed;
	uint32_t *added;
	size_t n, cap;
};

/* The path of the file of E below knowledge/. */
static const char *path_of(const struct checked *k,
			   const struct catalog_entry *e)
{
	return catalog_meta(&k->c->catalog, e) + k->root;
}

static bool is_memory(const struct catalog_entry *e)
{
	return !(e->flags & CATALOG_GONE) && e->kind == CATALOG_MEMORY;
}

/* Find the folders that need not be listed. */
static void find_clean(struct checked *k)
{
	const struct catalog *s = &k->c->catalog;

	k->clean = mem_alloc(s->nfolders + 1);
	for (size_t i = 0; i < s->nfolders && k->known; i++)
		k->clean[i] = s->folders[i].flags & CATALOG_CLEAN;
	/* One may have been edited since. */
	for (size_t i = 0; i < catalog_count(s) && k->known; i++) {
		const struct catalog_entry *e = catalog_entry(s, i);

		if (!(e->flags & (CATALOG_GONE | CATALOG_CHECKED)))
			k->clean[e->folder] = false;
	}
}

struct checked *checked_open(struct cache *c, uint64_t rules)
{
	struct checked *k = mem_alloc(sizeof(*k));
	uint64_t marked;

	memcpy(&marked, view_note(c, VIEW_NOTE_CLEAN), sizeof(marked));
	*k = (struct checked){.c = c,
			      .rules = rules,
			      .known = marked == rules,
			      .root = strlen(c->path) + 1};
	find_clean(k);
	return k;
}

void checked_close(struct checked *k)
{
	if (!k)
		return;
	if (k->n || k->changed)
		cache_keep_checked(k->c, k->rules, k->added, k->n, k->clean);
	table_release(&k->by_name);
	free(k->clean);
	free(k->added);
	free(k);
}

/* The number of FOLDER, that of all folders where it is not known. */
static size_t number_of(const struct checked *k, const char *folder)
{
	const struct catalog *s = &k->c->catalog;
	const struct catalog_folder *f = catalog_find_folder(s, folder);

	return f ? (size_t)(f - s->folders) : s->nfolders;
}

bool checked_is_clean(const struct checked *k, const char *folder)
{
	return k->clean[number_of(k, folder)];
}

void checked_add_folder(struct checked *k, const char *folder)
{
	const struct catalog *s = &k->c->catalog;
	const size_t i = number_of(k, folder);

	/* What is not sure is listed anew anyway. */
	if (i == s->nfolders || s->folders[i].flags & CATALOG_UNSURE)
		return;
	k->clean[i] = k->changed = true;
}

void checked_each(const struct checked *k, checked_fn *fn, void *ctx)
{
	const struct catalog *s = &k->c->catalog;

	for (size_t i = 0; i < catalog_count(s); i++) {
		const struct catalog_entry *e = catalog_entry(s, i);

		if (is_memory(e) && k->clean[e->folder])
			fn(ctx, s->folders[e->folder].path,
			   catalog_meta(s, e) + e->place, e->id,
			   (struct instant){e->sec, e->nsec});
	}
}

static void list_names(struct checked *k)
{
	const struct catalog *s = &k->c->catalog;

	for (size_t i = 0; i < catalog_count(s); i++) {
		const struct catalog_entry *e = catalog_entry(s, i);
		const char *name = catalog_meta(s, e) + e->place;

		if (is_memory(e))
			table_put(&k->by_name, name, strlen(name), 0, i);
	}
}

/* The entry of the memory NAME in FOLDER, NULL: there is none. */
static const struct catalog_entry *find(struct checked *k, const char *folder,
					const char *name, size_t *i)
{
	const size_t len = strlen(folder);
	struct table_look look;

	if (!k->by_name.n)
		list_names(k);
	look = table_look(&k->by_name, name, strlen(name), 0);
	while (table_next(&look, i)) {
		const struct catalog_entry *e =
			catalog_entry(&k->c->catalog, *i);
		const char *path = path_of(k, e);

		if (!strncmp(path, folder, len) && path[len] == '/' &&
		    !strcmp(path + len + 1, name))
			return e;
	}
	return NULL;
}

bool checked_has(struct checked *k, const char *folder, const char *name,
		 int64_t *id, struct instant *at)
{
	size_t i;
	const struct catalog_entry *e =
		k->known ? find(k, folder, name, &i) : NULL;

	if (!e || !(e->flags & CATALOG_CHECKED))
		return false;
	*id = e->id;
	*at = (struct instant){e->sec, e->nsec};
	return true;
}

uint64_t checked_text(const struct checked *k, const char *text, size_t len)
{
	return hash_bytes(text, len, k->c->catalog.identity);
}

bool checked_add(struct checked *k, const char *folder, const char *name,
		 uint64_t text)
{
	size_t i;
	const struct catalog_entry *e = find(k, folder, name, &i);

	if (!e || e->text_hash != text)
		return false;
	k->added = mem_grow(k->added, k->n, &k->cap, sizeof(*k->added));
	k->added[k->n++] = (uint32_t)i;
	return true;
}
