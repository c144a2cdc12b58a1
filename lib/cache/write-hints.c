/* write-hints.c: answer for writers from a brief catalog (see catalog_open()).
 *
 * An answer is given only if the stat of each directory equals the one in the
 * catalog. The catalog is updated only if its lock is free within WAIT_MS;
 * otherwise the next reader finds the change. */
#include "cache/write-hints.h"

#include "base/unicode.h"
#include "cache/cache.h"

#include <fcntl.h>

#define WAIT_MS 10 /* a reader holds the lock while it writes */

static bool load_brief(struct cache *c)
{
	return c && cache_find_dir(c, false) && cache_load(c, true) == 1 &&
	       !c->catalog.torn;
}

/* Return true if the directories whose files have ids, or only memories/ unless
 * ALL, and all numbered ones, have not changed since the catalog was written. */
static bool are_dirs_unchanged(struct cache *c, bool all)
{
	const struct layout_directory *d;

	if (!load_brief(c))
		return false;
	for (size_t i = 0; (d = layout_directory(i)); i++) {
		const struct catalog_folder *f;

		if (!d->ids || !(all || d->area == AREA_MEMORIES))
			continue;
		f = catalog_find_folder(&c->catalog, d->name);
		if (!f || f->flags & CATALOG_GONE ||
		    refresh_folder_is_same(c->repo, f) != 1)
			return false;
	}
	return refresh_numbered_are_same(c->repo, &c->catalog);
}

/* Return true if memories/, whose stat now is ST, and the numbered directories
 * have not changed. */
static bool are_memories_unchanged(struct cache *c, const struct stat *st)
{
	const struct catalog_folder *f =
		load_brief(c)
			? catalog_find_folder(&c->catalog, LAYOUT_MEMORIES)
			: NULL;

	return f && !(f->flags & CATALOG_GONE) && refresh_folder_is(f, st) &&
	       refresh_numbered_are_same(c->repo, &c->catalog);
}

/* Like are_dirs_unchanged() for all directories, but use up the check that
 * write_hints_equal() made just before: a save checks the directories, which may be
 * many, once. */
static bool use_dir_check(struct cache *c)
{
	if (!load_brief(c))
		return false;
	if (!c->looked)
		return are_dirs_unchanged(c, true);
	c->looked = false;
	return true;
}

void write_hints_forget(struct cache *c)
{
	if (c)
		c->looked = false;
}

int write_hints_max(struct cache *c, int64_t *max)
{
	if (!use_dir_check(c) || c->catalog.max_id <= 0)
		return 0;
	*max = c->catalog.max_id;
	return 1;
}

bool write_hints_ids(struct cache *c, const int64_t *ids, bool *taken, size_t n,
		     size_t *memories)
{
	if (!use_dir_check(c) || c->catalog.max_id <= 0 || c->catalog.unread)
		return false;
	for (size_t i = 0; i < n; i++)
		taken[i] |= catalog_has_id(&c->catalog, ids[i]);
	*memories = catalog_memories(&c->catalog);
	return true;
}

struct path_list {
	struct cache *c;
	struct arena *a;
	struct write_hints_path *items;
	size_t n, cap;
};

static int collect_path(void *ctx, size_t i)
{
	struct path_list *f = ctx;
	const struct catalog_entry *e = catalog_entry(&f->c->catalog, i);
	const unsigned area =
		refresh_area(f->c->catalog.folders[e->folder].path);
	struct write_hints_path *one;

	one = MEM_ADD(f->items, f->n, f->cap);
	one->area = area == REFRESH_MEMORIES  ? AREA_MEMORIES
		    : area == REFRESH_DRAFTS  ? AREA_DRAFTS
		    : area == REFRESH_ARCHIVE ? AREA_ARCHIVE
					      : AREA_TRASH;
	one->path = view_shown(f->c, e, f->a);
	return 0;
}

/* Copy the paths of F to OUT, in the arena of F, and free F. */
static void move_paths(struct path_list *f, struct write_hints_paths *out)
{
	*out = (struct write_hints_paths){NULL, f->n};
	if (f->n) {
		out->items = arena_alloc(f->a, f->n * sizeof(*f->items));
		memcpy(out->items, f->items, f->n * sizeof(*f->items));
	}
	free(f->items);
}

bool write_hints_equal(struct cache *c, uint64_t key, struct arena *a,
		       struct write_hints_paths *out)
{
	struct path_list f = {c, a, NULL, 0, 0};
	bool found = are_dirs_unchanged(c, true) && !c->catalog.unread;

	if (found &&
	    catalog_each_equal(&f.c->catalog, key, collect_path, &f) < 0)
		found = false;
	if (c)
		c->looked = found;
	move_paths(&f, out);
	return found;
}

bool write_hints_with_id(struct cache *c, int64_t id, struct arena *a,
			 struct write_hints_paths *out)
{
	struct path_list f = {c, a, NULL, 0, 0};
	bool known = are_dirs_unchanged(c, false) && !c->catalog.unread;
	const size_t n = known ? catalog_count(&c->catalog) : 0;

	for (size_t i = 0; i < n && known; i++) {
		const struct catalog_entry *e = catalog_entry(&c->catalog, i);

		if (e->id != id)
			continue;
		known = catalog_check(&c->catalog, e);
		if (known && refresh_area(c->catalog.folders[e->folder].path) ==
				     REFRESH_MEMORIES)
			collect_path(&f, i);
	}
	move_paths(&f, out);
	return known;
}

/* Return 1 if E may say that KEY is true, 0 if not, -1 if E is damaged. */
static int may_have_key(const struct catalog *s, const struct catalog_entry *e,
			const char *key)
{
	struct catalog_strings text;

	/* A brief catalog does not know whether an entry is gone. */
	if (e->kind != CATALOG_MEMORY ||
	    !(e->flags & (CATALOG_KEYS | CATALOG_KEYS_CUT)))
		return 0;
	if (!catalog_check(s, e) ||
	    !catalog_strings(e, catalog_meta(s, e), &text))
		return -1;
	return record_keys_maybe(&text.keys, key) &&
	       refresh_area(s->folders[e->folder].path) == REFRESH_MEMORIES;
}

bool write_hints_with_key(struct cache *c, const char *key, struct arena *a,
			  struct write_hints_paths *out)
{
	struct path_list f = {c, a, NULL, 0, 0};
	struct stat st;
	const int there = c ? layout_stat(c->repo, LAYOUT_MEMORIES, &st) : -1;
	bool known = !there;
	size_t n = 0;

	/* A store without memories needs no catalog. */
	if (there > 0) {
		known = are_memories_unchanged(c, &st);
		n = known ? catalog_count(&c->catalog) : 0;
	}
	for (size_t i = 0; i < n && known; i++) {
		const int r = may_have_key(&c->catalog,
					   catalog_entry(&c->catalog, i), key);

		known = r >= 0;
		if (r > 0)
			collect_path(&f, i);
	}
	move_paths(&f, out);
	return known;
}

bool write_hints_are_current(struct cache *c, struct stat *st)
{
	struct stat memories;

	if (!c || layout_stat(c->repo, LAYOUT_MEMORIES, &memories) != 1 ||
	    !are_memories_unchanged(c, &memories))
		return false;
	st->st_ino = (ino_t)c->catalog.ino;
	st->st_size = (off_t)c->catalog.size;
	return true;
}

void write_hints_before(struct write_hints_slip *slip, int dir)
{
	slip->absent = dir < 0;
	slip->known = slip->absent || fstat(dir, &slip->folder) == 0;
}

struct file_match {
	const struct catalog *catalog;
	const struct catalog_update_file *file;
};

static int is_same_file(void *ctx, size_t i)
{
	const struct file_match *k = ctx;
	const struct catalog_entry *e = catalog_entry(k->catalog, i);

	return e->folder == k->file->folder &&
	       !strcmp(catalog_meta(k->catalog, e), k->file->path);
}

/* Return true if the catalog already has FILE, or if that cannot be determined.
 * A reader that looked at the directory before FILE was made and listed it
 * afterwards has FILE in the catalog, with the directory's old stat. */
static bool may_be_known(const struct cache *c,
			 const struct catalog_update_file *file)
{
	struct file_match k = {&c->catalog, file};

	return catalog_each_equal(&c->catalog,
				  unicode_fold_hash(file->record->content,
						    file->record->content_len),
				  is_same_file, &k) != 0;
}

/* Return the directory BELOW if its stat in SLIP equals the catalog's, else
 * NULL. */
static struct catalog_folder *
find_unchanged_dir(struct cache *c, const struct write_hints_slip *slip,
		   const char *below)
{
	const struct filestat before = filestat_of(&slip->folder);
	struct catalog_folder *f = catalog_find_folder(&c->catalog, below);

	return f && f->flags & CATALOG_KNOWN && !(f->flags & CATALOG_ABSENT) &&
			       filestat_same(&f->st, &before)
		       ? f
		       : NULL;
}

/* Set the stat of F to NOW. A change later than SURE is marked unsure, see
 * filestat.h. */
static void set_dir_stat(struct catalog_folder *f, const struct stat *now,
			 int64_t sure)
{
	f->dev = (uint64_t)now->st_dev;
	f->st = filestat_of(now);
	f->flags = CATALOG_KNOWN;
	if (!filestat_is_sure(&f->st, sure))
		f->flags |= CATALOG_UNSURE;
	f->changed = true;
}

/* Add the file NAME to the catalog. Return false if its directory had changed
 * before, or if the catalog may have the file. */
static bool add_file(struct cache *c, const struct write_hints_slip *slip,
		     const char *below, int dir, const char *name,
		     const struct stat *folder, const struct record *r,
		     const char *text, size_t len)
{
	struct catalog_update in = {.catalog = &c->catalog};
	struct catalog_folder *f = find_unchanged_dir(c, slip, below);
	struct catalog_update_file file = {.dir = dir,
					   .name = name,
					   .name_len = strlen(name),
					   .record = r};
	struct buf path = {0};
	struct stat st;

	if (!f || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	buf_addf(&path, "%s/%s/%s", c->path, f->path, name);
	file.path = path.p;
	file.folder = (uint32_t)(f - c->catalog.folders);
	file.kind = refresh_kind(f->path);
	if (may_be_known(c, &file)) {
		buf_release(&path);
		return false;
	}
	in.sure = filestat_sure(dir);
	catalog_update_text(&in, &file, &st, text, len);
	set_dir_stat(f, folder, in.sure);
	catalog_update_release(&in);
	buf_release(&path);
	return true;
}

/* Lock and load the catalog, and set *ST to the stat of DIR. Return true if
 * both succeed; then call save_and_unlock(). */
static bool lock_catalog(struct cache *c, const struct write_hints_slip *slip,
			 int dir, struct stat *st)
{
	if (!c || !slip->known || fstat(dir, st) < 0 ||
	    !cache_find_dir(c, false) || !cache_dir_lock(&c->dir, WAIT_MS))
		return false;
	if (cache_load(c, true) == 1 && !c->catalog.torn)
		return true;
	cache_dir_unlock(&c->dir);
	return false;
}

static void save_and_unlock(struct cache *c, bool told)
{
	if (told)
		c->kept = cache_save(c) == 0;
	cache_dir_unlock(&c->dir);
}

void write_hints_after(struct cache *c, const struct write_hints_slip *slip,
		       const char *folder, int dir, const char *name,
		       const struct record *r, const char *text, size_t len)
{
	struct stat st;
	bool told;

	if (!lock_catalog(c, slip, dir, &st))
		return;
	told = add_file(c, slip, folder, dir, name, &st, r, text, len);
	if (told && r->id > c->catalog.max_id)
		c->catalog.max_id = (int32_t)r->id;
	save_and_unlock(c, told);
}

void write_hints_gone(struct cache *c, const struct write_hints_slip *slip,
		      const char *folder, int dir)
{
	struct catalog_folder *f;
	struct stat st;

	if (!lock_catalog(c, slip, dir, &st))
		return;
	f = find_unchanged_dir(c, slip, folder);
	if (f) {
		f->st = filestat_of(&st);
		/* Somebody may have changed the directory during the removal:
		 * the next reader lists it. */
		f->flags |= CATALOG_UNSURE;
		f->changed = true;
	}
	save_and_unlock(c, f);
}

/* The state of add_removal(). */
struct removal_walk {
	struct cache *cache;
	struct catalog_update in;
	struct catalog_update_file file;
	const char *below;  /* path below knowledge/ */
	const char *folder; /* absolute path */
};

static bool add_removal(struct cache *c, const char *below, int dir);

/* Add the directory NAME, a part of a removal. A part has no parts itself. */
static bool add_removal_part(const struct removal_walk *t, const char *name)
{
	struct buf path = {0};
	int dir;
	bool taken;

	if (layout_is_apart(name))
		return true;
	if (strchr(t->below + strlen(LAYOUT_TRASH "/"), '/'))
		return false;
	dir = file_open(t->file.dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
			0);
	buf_addf(&path, "%s/%s", t->below, name);
	taken = dir >= 0 && add_removal(t->cache, path.p, dir);
	file_close(dir);
	buf_release(&path);
	return taken;
}

/* Add the memory NAME. Return 1, which ends the walk, if it cannot be read. */
static int add_removal_file(void *ctx, const char *name, enum file_kind kind)
{
	struct removal_walk *t = ctx;
	struct catalog *catalog = t->in.catalog;
	struct buf path = {0}, text = {0};
	const struct catalog_entry *e = NULL;
	struct stat st;

	if (kind == FILE_FOLDER)
		return !add_removal_part(t, name);
	if (!layout_is_memory(name))
		return 0;
	buf_addf(&path, "%s/%s", t->folder, name);
	t->file.name = name;
	t->file.name_len = strlen(name);
	t->file.path = path.p;
	if (fstatat(t->file.dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    file_read(t->file.dir, name, path.p, LAYOUT_FILE_MAX, &text,
		      NULL) == 1) {
		catalog_update_text(&t->in, &t->file, &st, buf_str(&text),
				    text.len);
		e = catalog_entry(catalog, catalog_count(catalog) - 1);
		if (catalog->max_id && e->id > catalog->max_id)
			catalog->max_id = (int32_t)e->id;
	}
	buf_release(&path);
	buf_release(&text);
	return !e || e->kind == CATALOG_PLAIN;
}

/* Add the directory BELOW of the trash, open as DIR, and the memories in it. */
static bool add_removal(struct cache *c, const char *below, int dir)
{
	struct removal_walk t = {
		.cache = c,
		.below = below,
		.in = {.catalog = &c->catalog, .sure = filestat_sure(dir)},
		.file = {.dir = dir, .kind = refresh_kind(below)}};
	struct buf path = {0};
	struct stat st;
	bool taken;

	if (fstat(dir, &st) < 0)
		return false;
	t.file.folder = (uint32_t)c->catalog.nfolders;
	set_dir_stat(catalog_add_folder(&c->catalog, below), &st, t.in.sure);
	buf_addf(&path, "%s/%s", c->path, below);
	t.folder = path.p;
	taken = file_walk(dir, path.p, add_removal_file, &t, NULL) == 0;
	catalog_update_release(&t.in);
	buf_release(&path);
	return taken;
}

/* Return the entry of the trash if the trash had not changed before, else
 * NULL. */
static struct catalog_folder *
find_unchanged_trash(struct cache *c, const struct write_hints_slip *slip)
{
	struct catalog_folder *f =
		catalog_find_folder(&c->catalog, LAYOUT_TRASH);

	return !slip->absent ? find_unchanged_dir(c, slip, LAYOUT_TRASH)
	       : f && f->flags & CATALOG_ABSENT ? f
						: NULL;
}

void write_hints_removed(struct cache *c, const struct write_hints_slip *slip,
			 int trash, const char *folder, int dir)
{
	struct catalog_folder *f;
	struct stat st;
	bool told;

	if (!lock_catalog(c, slip, trash, &st))
		return;
	told = find_unchanged_trash(c, slip) &&
	       !catalog_find_folder(&c->catalog, folder) &&
	       add_removal(c, folder, dir);
	if (told) {
		f = find_unchanged_trash(c, slip);
		set_dir_stat(f, &st, filestat_sure(trash));
		f->flags |= CATALOG_UNSURE; /* see write_hints_gone() */
	}
	save_and_unlock(c, told);
	/* Discard a removal that was added in part. */
	if (!told)
		cache_drop(c);
}
