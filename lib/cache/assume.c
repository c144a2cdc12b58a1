/* assume.c: see assume.h. */
#include "cache/assume.h"

#include "cache/cache.h"

#include <fcntl.h>
#include <unistd.h>

#define WAIT_MS 10 /* for a reader that writes what it has found */

/* True if the folders are as the sidecar of C has them. */
static bool is_trusted(struct cache *c)
{
	static const char *const needed[] = {
		"memories", "drafts", LAYOUT_SHARED, "trash", REFRESH_PURGED};

	if (!c || !cache_find_dir(c, false) || cache_load(c) != 1 ||
	    c->side.torn)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(needed); i++) {
		if (!catalog_find_folder(&c->side, needed[i]))
			return false;
	}
	for (size_t i = 0; i < c->side.nfolders; i++) {
		const struct catalog_folder *f = &c->side.folders[i];

		if (!(f->flags & CATALOG_GONE) &&
		    refresh_area(f->path) & REFRESH_IDS &&
		    refresh_folder_is_same(c->repo, f) != 1)
			return false;
	}
	return true;
}

int assume_max(struct cache *c, int64_t *max)
{
	if (!is_trusted(c) || c->side.max_id <= 0)
		return 0;
	*max = c->side.max_id;
	return 1;
}

struct finding {
	struct cache *c;
	struct arena *a;
	struct assume_path *items;
	size_t n, cap;
};

static int find(void *ctx, size_t i)
{
	struct finding *f = ctx;
	const struct catalog_entry *e = catalog_entry(&f->c->side, i);
	const unsigned area = refresh_area(f->c->side.folders[e->folder].path);
	struct assume_path *one;

	f->items = mem_grow(f->items, f->n, &f->cap, sizeof(*f->items));
	one = &f->items[f->n++];
	one->area = area == REFRESH_MEMORIES ? AREA_MEMORIES
		    : area == REFRESH_DRAFTS ? AREA_DRAFTS
					     : AREA_TRASH;
	one->path = view_shown(f->c, e, f->a);
	return 0;
}

bool assume_equal(struct cache *c, uint64_t key, struct arena *a,
		  struct assume_paths *out)
{
	struct finding f = {c, a, NULL, 0, 0};
	bool found = is_trusted(c) && !c->side.unread;

	*out = (struct assume_paths){NULL, 0};
	if (found && catalog_each_equal(&f.c->side, key, find, &f) < 0)
		found = false;
	if (found && f.n) {
		out->items = arena_alloc(a, f.n * sizeof(*f.items));
		memcpy(out->items, f.items, f.n * sizeof(*f.items));
		out->n = f.n;
	}
	free(f.items);
	return found;
}

void assume_before(struct assume_slip *slip, int dir)
{
	slip->known = fstat(dir, &slip->folder) == 0;
}

/* Add the file to the sidecar, if the folder was as the sidecar has it. */
static bool add(struct cache *c, const struct assume_slip *slip,
		const char *below, int dir, const char *name,
		const struct stat *folder, const struct record *r,
		const char *text, size_t len)
{
	struct ingest in = {.side = &c->side};
	const struct filestat before = filestat_of(&slip->folder);
	struct catalog_folder *f = catalog_find_folder(&c->side, below);
	struct ingest_file file = {.dir = dir,
				   .name = name,
				   .name_len = strlen(name),
				   .record = r};
	struct buf path = {0};
	struct stat st;

	if (!f || !(f->flags & CATALOG_KNOWN) || f->flags & CATALOG_ABSENT ||
	    !filestat_same(&f->st, &before) ||
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	buf_addf(&path, "%s/%s/%s", c->path, f->path, name);
	file.path = path.p;
	file.folder = (uint32_t)(f - c->side.folders);
	file.kind = refresh_kind(f->path);
	in.sure = filestat_sure(dir);
	ingest_text(&in, &file, &st, text, len);
	f->st = filestat_of(folder);
	f->flags = CATALOG_KNOWN;
	if (!filestat_is_sure(&f->st, in.sure))
		f->flags |= CATALOG_UNSURE;
	f->changed = true;
	ingest_release(&in);
	buf_release(&path);
	return true;
}

void assume_after(struct cache *c, const struct assume_slip *slip,
		  const char *folder, int dir, const char *name,
		  const struct record *r, const char *text, size_t len)
{
	struct stat st;

	if (!c || !slip->known || fstat(dir, &st) < 0 ||
	    !cache_find_dir(c, false) || !cache_dir_lock(&c->dir, WAIT_MS))
		return;
	if (cache_load(c) == 1 && !c->side.torn &&
	    add(c, slip, folder, dir, name, &st, r, text, len)) {
		c->side.max_id = (int32_t)r->id;
		c->kept = cache_save(c) == 0;
	}
	cache_dir_unlock(&c->dir);
}
