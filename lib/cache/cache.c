/* cache.c: which catalog a store has, when it is refreshed, and when written.
 *
 * A reader refreshes it first and asks for the lock only where something is to
 * be written; when another has written meanwhile, or writes now, what was found
 * is kept in memory alone.  So nobody waits for anybody, but who holds the lock
 * over a refresh by cache_lock().
 */
#include "cache/cache.h"

#include "cache/catalog-write.h"
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct cache *cache_open(struct repo *repo)
{
	struct cache *c = mem_alloc(sizeof(*c));

	c->dir.fd = -1;
	c->repo = repo;
	return c;
}

/* The real path of knowledge/, which REPO->path is but for links above the
 * user's root; NULL where there is none. */
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

static void forget(struct cache *c)
{
	view_reset(c);
	c->changes++;
	if (c->lent) {
		/* What was lent is needed until the store is closed. */
		c->old = mem_grow(c->old, c->nold, &c->capold, sizeof(*c->old));
		c->old[c->nold++] = c->catalog;
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
	forget(c);
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
		forget(c);
		return -1;
	}
	forget(c);
	if (!c->dir.path)
		return 0;
	r = catalog_open(&c->catalog, &c->dir, c->path, &c->root, brief);
	c->open = r == 1;
	/* Whoever holds the lock knows that nobody is writing. */
	if (r == 1 && c->catalog.torn && c->dir.locked) {
		forget(c);
		r = -1;
	}
	return r;
}

/* Begin a new catalog in memory: 0, or -1 where there is no identity. */
static int begin(struct cache *c)
{
	forget(c);
	c->catalog = (struct catalog){.next = 1};
	if (getentropy(&c->catalog.identity, sizeof(c->catalog.identity)) < 0)
		return -1;
	c->open = true;
	return 0;
}

/* Append what is new, and read all that the catalog then has. */
static int complete(struct cache *c)
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
	if (c->catalog.brief && complete(c) < 0)
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

/* The highest id that is known, 0 where some may not be; and how many
 * files are plain. */
static void count(struct catalog *catalog)
{
	static const char *const folders[] = {"memories", LAYOUT_ARCHIVE,
					      "drafts",	  LAYOUT_SHARED,
					      "trash",	  REFRESH_PURGED};
	int32_t max = 0;
	bool sure = true;

	catalog->unread = 0;
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		const struct catalog_folder *f =
			catalog_find_folder(catalog, folders[i]);

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

/* Keep what a refresh found, if nobody is in the way. */
static void keep(struct cache *c)
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
		count(&c->catalog);
		if (c->catalog.torn)
			unlinkat(c->dir.fd, CATALOG_NAME, 0);
		else
			c->kept = cache_save(c) == 0;
	}
	if (!held)
		cache_dir_unlock(&c->dir);
}

/* True if C may be written: who only reads asks for the lock now, and then has
 * it to the end of the refresh. */
static bool may_spill(struct cache *c)
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

/* Write what was read so far and read it back, for memory's sake. */
static int spill(struct refresh *rf, struct err *e)
{
	struct cache *c = rf->ctx;

	rf->spill = NULL;
	if (!may_spill(c))
		return 0;
	count(&c->catalog);
	c->catalog.max_id = 0;
	/* The disk may be full: memory will do. */
	if ((c->catalog.map ? catalog_write_append(&c->catalog, &c->dir)
			    : catalog_write_replace(&c->catalog, &c->dir,
						    c->path, &c->root)) < 0)
		return 0;
	catalog_close(&c->catalog);
	mem_trim();
	if (catalog_open(&c->catalog, &c->dir, c->path, &c->root, false) != 1)
		return err_set(e, ERR_SYSTEM, "cannot read a cache");
	rf->spill = spill;
	return 0;
}

/* Refresh the catalog that C has: 1, 0: it is damaged, -1. */
static int run(struct cache *c, unsigned what, struct err *e)
{
	struct refresh rf = {.repo = c->repo,
			     .path = c->path,
			     .catalog = &c->catalog,
			     .what = what};
	bool damaged = false;
	struct err why;
	int r;

	if (c->dir.path && !c->lent) {
		rf.spill = spill;
		rf.ctx = c;
	}
	r = refresh_run(&rf, &damaged, &why);
	c->news.files = rf.files;
	c->news.read = rf.ingest.read;
	c->news.gone = rf.gone;
	refresh_release(&rf);
	if (r < 0 && !damaged && e)
		*e = why;
	return r == 0 ? 1 : damaged ? 0 : -1;
}

/* Refresh a new catalog, on the disk if that can be. */
static int make(struct cache *c, unsigned what, struct err *e)
{
	const bool held = c->dir.locked;
	int r;

	c->news.made = true;
	if (c->dir.path)
		cache_dir_lock(&c->dir, 0);
	if (c->dir.locked)
		unlinkat(c->dir.fd, CATALOG_NAME, 0);
	r = begin(c) < 0 ? err_sys(e, "cannot get random bytes")
			 : run(c, what, e);
	/* What was spilled may be gone. */
	if (r < 0 && c->catalog.map) {
		cache_dir_unlock(&c->dir);
		r = begin(c) < 0 ? -1 : run(c, what, e);
	}
	if (r == 1)
		keep(c);
	if (!held)
		cache_dir_unlock(&c->dir);
	return r == 1 ? 1 : -1;
}

/* Refresh the catalog that is there: 1, 0: there is none, -1: it is of no
 * use, or a folder cannot be read. */
static int try(struct cache *c, unsigned what, struct err *e)
{
	int r = cache_load(c, false);

	c->news.damaged = r < 0;
	if (r == 1) {
		r = run(c, what, e);
		c->news.damaged = r == 0;
		r = r ? r : -1;
	}
	return r;
}

/* The same, and see that nobody has put it right meanwhile, if the lock can be
 * had; it stays ours then. */
static int find(struct cache *c, unsigned what, struct err *e)
{
	const bool told = c->damaged, held = c->dir.locked;
	int r;

	if (told && c->dir.path && cache_dir_lock(&c->dir, 0) &&
	    !catalog_is_current(&c->catalog, &c->dir))
		forget(c);
	r = try(c, what, e);
	if (r != 1 && !told && !held && c->dir.path &&
	    cache_dir_lock(&c->dir, 0))
		r = try(c, what, e);
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
	r = find(c, what, e);
	if (r == 1) {
		keep(c);
	} else {
		forget(c);
		/* Nobody shall find again what is of no use. */
		if (c->news.damaged && c->dir.locked)
			unlinkat(c->dir.fd, CATALOG_NAME, 0);
		r = may_make ? make(c, what, e) : 0;
		if (r != 1)
			forget(c);
	}
	if (r == 1) {
		c->refreshed |= areas;
		c->taken = false;
		/* They were all checked. */
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

/* The stat of the catalog's file: 0, -1. */
static int look_at_catalog(const struct cache *c, struct filestat *out)
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
	if (!c->kept || !c->dir.path || look_at_catalog(c, &c->left) < 0)
		cache_drop(c);
}

/* True if C has the cache folder of its store, which is still the same. */
static bool is_at_home(const struct cache *c)
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

	if (c && !(c->open && is_at_home(c) && look_at_catalog(c, &now) == 0 &&
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

void cache_make(struct cache *c)
{
	if (!cache_lock(c, 0))
		return;
	mem_trim();
	cache_refresh(c, REFRESH_IDS | REFRESH_MAKE, NULL);
	cache_unlock(c);
	mem_trim();
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
