/* cache.c: when a catalog is refreshed, and when it is written.
 *
 * A reader refreshes its view first, and takes the lock only if there is
 * something to write. If another process has written meanwhile, or is writing,
 * the result stays in memory. No process waits for another, except through
 * cache_lock().
 */
#include "cache/cache.h"

#include "base/compat.h"
#include "sys/io.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

struct cache *cache_open(struct repo *repo)
{
	struct cache *c = mem_alloc(sizeof(*c));

	c->dir.fd = -1;
	c->repo = repo;
	return c;
}

/* Return the real path of knowledge/, or NULL if there is none. The caller
 * frees it. A path inside a project is real already. */
static char *real_path(const struct repo *repo)
{
	return repo->root.scope == SCOPE_GLOBAL ? realpath(repo->path, NULL)
						: mem_strdup(repo->path);
}

int cache_find_dir(struct cache *c, bool make)
{
	const struct repo *repo = c->repo;

	if (repo->fd < 0 || fstat(repo->fd, &c->root) < 0)
		return 0;
	if (!c->path)
		c->path = real_path(repo);
	if (!c->path)
		return 0;
	c->same_path = !strcmp(c->path, repo->path);
	if (c->dir.path)
		return 1;
	return cache_dir_open(&c->dir, c->path, make);
}

static void close_old(struct cache *c)
{
	for (size_t i = 0; i < c->nold; i++)
		catalog_close(&c->old[i]);
	c->nold = 0;
}

static void reset_catalog(struct cache *c)
{
	view_reset(c);
	c->changes++;
	if (c->lent) {
		/* Borrowed pointers stay valid until the store is closed. */
		*MEM_ADD(c->old, c->nold, c->capold) = c->catalog;
		c->catalog = (struct catalog){.next = 1};
	} else {
		catalog_close(&c->catalog);
	}
	c->lent = c->open = c->kept = c->damaged = c->taken = false;
	c->looked = false;
	c->refreshed = 0;
}

void cache_drop(struct cache *c)
{
	if (!c)
		return;
	reset_catalog(c);
	close_old(c);
	free(c->old);
	cache_dir_close(&c->dir);
	free(c->path);
	arena_release(&c->arena);
	*c = (struct cache){
		.dir.fd = -1, .repo = c->repo, .changes = c->changes};
}

void cache_close(struct cache *c)
{
	cache_drop(c);
	free(c);
}

int cache_purge(struct cache *c, struct err *e)
{
	char *path = !c || c->repo->fd < 0 ? NULL : real_path(c->repo);
	int r = 0;

	cache_drop(c);
	if (path)
		r = cache_dir_remove(path, e);
	free(path);
	return r;
}

int cache_load(struct cache *c, bool brief)
{
	int r;

	if (c->open && !c->lent && !c->damaged && c->dir.path &&
	    c->catalog.map && brief >= c->catalog.brief &&
	    catalog_is_current(&c->catalog, &c->dir)) {
		view_reset(c);
		return 1;
	}
	if (c->damaged) {
		reset_catalog(c);
		return -1;
	}
	reset_catalog(c);
	if (!c->dir.path)
		return 0;
	r = catalog_open(&c->catalog, &c->dir, c->path, &c->root, brief);
	c->open = r == 1;
	/* We hold the lock, so nobody is writing: the file is damaged. */
	if (r == 1 && c->catalog.torn && c->dir.locked) {
		reset_catalog(c);
		r = -1;
	}
	return r;
}

/* Start an empty catalog in memory. Return 0, or -1 without randomness. */
static int start_catalog(struct cache *c)
{
	reset_catalog(c);
	c->catalog = (struct catalog){.next = 1};
	if (getentropy(&c->catalog.identity, sizeof(c->catalog.identity)) < 0)
		return -1;
	c->open = true;
	return 0;
}

/* Append the new entries, then load the whole catalog in place of the brief one. */
static int reload_whole(struct cache *c)
{
	struct catalog whole;

	if (catalog_write_append(&c->catalog, &c->dir) < 0 ||
	    catalog_open(&whole, &c->dir, c->path, &c->root, false) != 1)
		return -1;
	catalog_close(&c->catalog);
	c->catalog = whole;
	return 0;
}

int cache_save(struct cache *c)
{
	struct catalog written;

	if (!catalog_write_is_long(&c->catalog))
		return catalog_write_append(&c->catalog, &c->dir);
	if (c->catalog.brief && reload_whole(c) < 0)
		return -1;
	if (catalog_write_replace(&c->catalog, &c->dir, c->path, &c->root) < 0)
		return -1;
	cache_dir_prune(&c->dir, catalog_owner);
	if (catalog_open(&written, &c->dir, c->path, &c->root, false) != 1)
		return -1;
	catalog_close(&c->catalog);
	c->catalog = written;
	return 0;
}

/* Count the files that cannot be read as memories. Set the highest id, or 0 if
 * such a file, or a directory not read yet, may have a higher one. */
static void update_counts(struct catalog *catalog)
{
	const struct layout_directory *d;
	int32_t max = 0;
	bool sure = true;

	catalog->unread = 0;
	for (size_t i = 0; (d = layout_directory(i)); i++) {
		const struct catalog_folder *f =
			d->ids ? catalog_find_folder(catalog, d->name) : NULL;

		if (!d->ids)
			continue;
		sure &= f && f->flags & CATALOG_KNOWN;
		if (f && f->max_id > max)
			max = f->max_id;
	}
	for (size_t i = 0; i < catalog_count(catalog); i++) {
		const struct catalog_entry *e = catalog_entry(catalog, i);

		if (e->flags & CATALOG_GONE)
			continue;
		if (e->kind == CATALOG_PLAIN &&
		    refresh_area(catalog->folders[e->folder].path) &
			    REFRESH_IDS) {
			catalog->unread++;
			sure &= !(e->flags & CATALOG_REGULAR);
		}
		if (e->id > max)
			max = e->id;
	}
	catalog->max_id = sure ? max : 0;
}

/* Write what the refresh found, if the lock is free. */
static void write_if_free(struct cache *c)
{
	const bool held = c->dir.locked;

	c->kept = c->catalog.map && !c->catalog.torn;
	if (c->catalog.map && !catalog_write_is_due(&c->catalog) &&
	    !c->catalog.torn)
		return;
	c->kept = false;
	if (!c->dir.path || !cache_dir_lock(&c->dir, 0))
		return;
	if (catalog_is_current(&c->catalog, &c->dir) ||
	    (held && !c->catalog.map)) {
		update_counts(&c->catalog);
		if (c->catalog.torn)
			unlinkat(c->dir.fd, CATALOG_NAME, 0);
		else
			c->kept = cache_save(c) == 0;
	}
	if (!held)
		cache_dir_unlock(&c->dir);
}

/* Return true if C may be written. A reader takes the lock here and holds it to
 * the end of the refresh. */
static bool lock_for_spill(struct cache *c)
{
	if (c->dir.locked)
		return true;
	if (c->catalog.torn || !cache_dir_lock(&c->dir, 0))
		return false;
	if (catalog_is_current(&c->catalog, &c->dir))
		return true;
	cache_dir_unlock(&c->dir);
	return false;
}

/* Write what was read so far and map it again, to use less memory. */
static int spill_catalog(struct refresh *rf, struct err *e)
{
	struct cache *c = rf->ctx;

	rf->spill = NULL;
	if (!lock_for_spill(c))
		return 0;
	update_counts(&c->catalog);
	c->catalog.max_id = 0;
	/* The disk may be full: stay in memory. */
	if ((c->catalog.map ? catalog_write_append(&c->catalog, &c->dir)
			    : catalog_write_replace(&c->catalog, &c->dir,
						    c->path, &c->root)) < 0)
		return 0;
	catalog_close(&c->catalog);
	compat_trim();
	if (catalog_open(&c->catalog, &c->dir, c->path, &c->root, false) != 1)
		return err_set(e, ERR_SYSTEM, "cannot read a cache");
	rf->spill = spill_catalog;
	return 0;
}

/* Refresh the loaded catalog. Return 1, 0 if it is damaged, -1 on an error. */
static int run_refresh(struct cache *c, unsigned what, struct err *e)
{
	struct refresh rf = {.repo = c->repo,
			     .path = c->path,
			     .catalog = &c->catalog,
			     .what = what};
	bool damaged = false;
	struct err why;
	int r;

	if (c->dir.path && !c->lent) {
		rf.spill = spill_catalog;
		rf.ctx = c;
	}
	r = refresh_run(&rf, &damaged, &why);
	c->news.read = rf.update.read;
	c->news.failed = rf.update.failed;
	c->news.gone = rf.gone;
	refresh_release(&rf);
	return r == 0 ? 1 : damaged ? 0 : err_take(e, &why);
}

/* Make and fill a new catalog, on disk if the lock is free. */
static int refresh_new(struct cache *c, unsigned what, struct err *e)
{
	const bool held = c->dir.locked;
	int r;

	c->news.made = true;
	if (c->dir.path)
		cache_dir_lock(&c->dir, 0);
	if (c->dir.locked)
		unlinkat(c->dir.fd, CATALOG_NAME, 0);
	r = start_catalog(c) < 0 ? err_sys(e, "cannot get random bytes")
				 : run_refresh(c, what, e);
	/* A part that was spilled may be lost. */
	if (r < 0 && c->catalog.map) {
		cache_dir_unlock(&c->dir);
		r = start_catalog(c) < 0 ? -1 : run_refresh(c, what, e);
	}
	if (r == 1)
		write_if_free(c);
	if (!held)
		cache_dir_unlock(&c->dir);
	return r == 1 ? 1 : -1;
}

/* Refresh the catalog on disk. Return 1, 0 if there is none, -1 if it is
 * damaged or a directory cannot be read. */
static int refresh_existing(struct cache *c, unsigned what, struct err *e)
{
	int r = cache_load(c, false);

	c->news.damaged = r < 0;
	if (r == 1) {
		r = run_refresh(c, what, e);
		c->news.damaged = r == 0;
		r = r ? r : -1;
	}
	return r;
}

/* Like refresh_existing(). If that fails, take the lock if it is free, and try
 * again: another process may have repaired the catalog. The lock stays
 * taken. */
static int refresh_or_retry(struct cache *c, unsigned what, struct err *e)
{
	const bool told = c->damaged, held = c->dir.locked;
	int r;

	if (told && c->dir.path && cache_dir_lock(&c->dir, 0) &&
	    !catalog_is_current(&c->catalog, &c->dir))
		reset_catalog(c);
	r = refresh_existing(c, what, e);
	if (r != 1 && !told && !held && c->dir.path &&
	    cache_dir_lock(&c->dir, 0))
		r = refresh_existing(c, what, e);
	return r;
}

int cache_refresh(struct cache *c, unsigned what, struct err *e)
{
	const bool may_make = what & REFRESH_MAKE;
	const unsigned areas = what & ~REFRESH_MAKE;
	bool held;
	int r;

	if (!c || c->repo->fd < 0)
		return 0;
	if (c->held && c->open && !c->damaged && !(areas & ~c->refreshed))
		return 1;
	held = c->dir.locked;
	c->news = (struct view_news){0};
	if (!cache_find_dir(c, may_make) && !(may_make && c->path))
		return 0;
	r = refresh_or_retry(c, what, e);
	if (r == 1) {
		write_if_free(c);
	} else {
		reset_catalog(c);
		/* Nobody must find the damaged catalog again. */
		if (c->news.damaged && c->dir.locked)
			unlinkat(c->dir.fd, CATALOG_NAME, 0);
		r = may_make ? refresh_new(c, what, e) : 0;
		if (r != 1)
			reset_catalog(c);
	}
	if (r == 1) {
		c->refreshed |= areas;
		c->taken = false;
		/* The refresh has checked all entries. */
		c->catalog.sound = c->catalog.nbase;
		c->changes += c->news.read || c->news.gone;
	}
	if (!held)
		cache_dir_unlock(&c->dir);
	return r;
}

int cache_hold(struct cache *c, unsigned what, struct err *e)
{
	const int r = cache_refresh(c, what, e);

	if (r == 1)
		c->held = true;
	return r;
}

void cache_let(struct cache *c)
{
	if (c)
		c->held = false;
}

uint64_t cache_changes(const struct cache *c)
{
	return c && c->open ? c->changes : 0;
}

static int stat_catalog(const struct cache *c, struct filestat *out)
{
	struct stat st;

	if (fstatat(c->dir.fd, CATALOG_NAME, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	*out = filestat_of(&st);
	return 0;
}

void cache_rest(struct cache *c)
{
	if (!c)
		return;
	c->lent = false;
	close_old(c);
	arena_reset(&c->arena);
	if (!c->kept || !c->dir.path || stat_catalog(c, &c->left) < 0)
		cache_drop(c);
}

/* Return true if C still has the cache directory of its store. */
static bool is_same_store(const struct cache *c)
{
	char *path = c->repo->fd < 0 ? NULL : real_path(c->repo);
	struct stat root, ours, there;
	const bool same =
		path && c->path && c->dir.path && !strcmp(path, c->path) &&
		fstat(c->repo->fd, &root) == 0 &&
		root.st_dev == c->root.st_dev &&
		root.st_ino == c->root.st_ino && fstat(c->dir.fd, &ours) == 0 &&
		lstat(c->dir.path, &there) == 0 &&
		ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;

	free(path);
	return same;
}

void cache_wake(struct cache *c)
{
	struct filestat now;

	if (c && !(c->open && is_same_store(c) && stat_catalog(c, &now) == 0 &&
		   filestat_same(&now, &c->left)))
		cache_drop(c);
}

int cache_take(struct cache *c, size_t most)
{
	if (!c || !cache_find_dir(c, false) || cache_load(c, false) != 1 ||
	    catalog_count(&c->catalog) <= most)
		return 0;
	c->taken = true;
	c->news = (struct view_news){0};
	c->kept = !c->catalog.torn;
	return 1;
}

int cache_lock(struct cache *c, int wait_ms)
{
	return c && cache_find_dir(c, true) && cache_dir_lock(&c->dir, wait_ms);
}

int cache_put_file(struct cache *c, const char *name, const char *p, size_t len)
{
	const int fd = cache_dir_new(&c->dir);
	int r;

	if (fd < 0)
		return -1;
	r = io_write(fd, p, len);
	close(fd);
	return cache_dir_put(&c->dir, r == 0 ? name : NULL) == 0 ? r : -1;
}

int cache_make(struct cache *c)
{
	int r;

	if (!cache_lock(c, 0))
		return 0;
	compat_trim();
	r = cache_refresh(c, REFRESH_IDS | REFRESH_MAKE, NULL);
	cache_unlock(c);
	compat_trim();
	return r;
}

void cache_unlock(struct cache *c)
{
	if (c)
		cache_dir_unlock(&c->dir);
}

int cache_set_note(struct cache *c, enum view_note which, const void *p,
		   size_t len)
{
	unsigned char *note;

	if (!c || !c->open || !c->dir.locked || len > VIEW_NOTE_SIZE ||
	    !catalog_is_current(&c->catalog, &c->dir) || !c->catalog.map)
		return -1;
	note = c->catalog.notes + (size_t)which * VIEW_NOTE_SIZE;
	memset(note, 0, VIEW_NOTE_SIZE);
	memcpy(note, p, len);
	c->catalog.notes_changed = true;
	return catalog_write_append(&c->catalog, &c->dir);
}
