/* cache.c: which sidecar a store has, when it is swept, and when written.
 *
 * A reader sweeps first and asks for the lock only where something is to be
 * written; when another has written meanwhile, or writes now, what was found
 * is kept in memory alone.  So nobody waits for anybody, but who holds the
 * lock over a sweep by cache_lock().
 */
#include "cache/cache.h"

#include "cache/catalog-write.h"
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct cache *cache_of(struct store *s)
{
	if (!s->cache) {
		s->cache = mem_alloc(sizeof(*s->cache));
		s->cache->dir.fd = -1;
		s->cache->store = s;
	}
	return s->cache;
}

/* The real path of knowledge/, which S->path is but for links above the
 * user's root; NULL where there is none. */
static char *real_path(const struct store *s)
{
	return s->root.scope == SCOPE_GLOBAL ? realpath(s->path, NULL)
					     : mem_strdup(s->path);
}

int cache_find_dir(struct store *s, struct cache *v, bool make)
{
	if (s->fd < 0 || fstat(s->fd, &v->root) < 0)
		return 0;
	if (!v->path)
		v->path = real_path(s);
	if (!v->path)
		return 0;
	v->same_path = !strcmp(v->path, s->path);
	if (v->dir.path)
		return 1;
	return cache_dir_open(&v->dir, v->path, make);
}

static void forget(struct cache *v)
{
	view_reset(v);
	if (v->lent) {
		/* What was lent is needed until the store is closed. */
		v->old = mem_grow(v->old, v->nold, &v->capold, sizeof(*v->old));
		v->old[v->nold++] = v->side;
		v->side = (struct catalog){.next = 1};
	} else {
		catalog_close(&v->side);
	}
	v->lent = v->open = v->kept = v->damaged = false;
}

void cache_close(struct store *s)
{
	struct cache *v = s->cache;

	if (!v)
		return;
	forget(v);
	for (size_t i = 0; i < v->nold; i++)
		catalog_close(&v->old[i]);
	free(v->old);
	cache_dir_close(&v->dir);
	free(v->path);
	arena_release(&v->arena);
	free(v);
	s->cache = NULL;
}

int cache_purge(struct store *s, struct err *e)
{
	char *path = s->fd < 0 ? NULL : real_path(s);
	int r = 0;

	cache_close(s);
	if (path)
		r = cache_dir_remove(path, e);
	free(path);
	return r;
}

int cache_load(struct cache *v)
{
	int r;

	if (v->open && !v->lent && !v->damaged && v->dir.path && v->side.map &&
	    catalog_is_current(&v->side, &v->dir)) {
		view_reset(v);
		return 1;
	}
	if (v->damaged) {
		forget(v);
		return -1;
	}
	forget(v);
	if (!v->dir.path)
		return 0;
	r = catalog_open(&v->side, &v->dir, v->path, &v->root);
	v->open = r == 1;
	/* Whoever holds the lock knows that nobody is writing. */
	if (r == 1 && v->side.torn && v->dir.locked) {
		forget(v);
		r = -1;
	}
	return r;
}

/* Begin a new sidecar in memory: 0, or -1 where there is no identity. */
static int begin(struct cache *v)
{
	forget(v);
	v->side = (struct catalog){.next = 1};
	if (getentropy(&v->side.identity, sizeof(v->side.identity)) < 0)
		return -1;
	v->open = true;
	return 0;
}

int cache_save(struct cache *v)
{
	struct catalog written;

	if (!catalog_write_is_long(&v->side))
		return catalog_write_append(&v->side, &v->dir);
	if (catalog_write_replace(&v->side, &v->dir, v->path, &v->root) < 0)
		return -1;
	cache_dir_sweep(&v->dir, catalog_owner);
	if (catalog_open(&written, &v->dir, v->path, &v->root) != 1)
		return -1;
	catalog_close(&v->side);
	v->side = written;
	return 0;
}

/* The highest id that is known, 0 where some may not be; and how many
 * files are plain. */
static void count(struct catalog *side)
{
	static const char *const folders[] = {
		"memories", "drafts", LAYOUT_SHARED, "trash", REFRESH_PURGED};
	int32_t max = 0;
	bool sure = true;

	side->unread = 0;
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		const struct catalog_folder *f =
			catalog_find_folder(side, folders[i]);

		sure &= f && f->flags & CATALOG_KNOWN;
		if (f && f->max_id > max)
			max = f->max_id;
	}
	for (size_t i = 0; i < catalog_count(side); i++) {
		const struct catalog_entry *e = catalog_entry(side, i);

		if (e->flags & CATALOG_GONE)
			continue;
		if (e->kind == CATALOG_PLAIN &&
		    refresh_area(side->folders[e->folder].path) & REFRESH_IDS) {
			side->unread++;
			sure &= !(e->flags & CATALOG_REGULAR);
		}
		if (e->id > max)
			max = e->id;
	}
	side->max_id = sure ? max : 0;
}

/* Keep what a sweep found, if nobody is in the way. */
static void keep(struct cache *v)
{
	const bool held = v->dir.locked;

	v->kept = v->side.map && !v->side.torn;
	if (v->side.map && !catalog_write_is_due(&v->side) && !v->side.torn)
		return;
	v->kept = false;
	if (!v->dir.path || !cache_dir_lock(&v->dir, 0))
		return;
	if (catalog_is_current(&v->side, &v->dir) || (held && !v->side.map)) {
		count(&v->side);
		if (v->side.torn)
			unlinkat(v->dir.fd, CATALOG_NAME, 0);
		else
			v->kept = cache_save(v) == 0;
	}
	if (!held)
		cache_dir_unlock(&v->dir);
}

/* True if V may be written: who only reads asks for the lock now, and then has
 * it to the end of the sweep. */
static bool may_spill(struct cache *v)
{
	if (v->dir.locked)
		return true;
	if (v->side.torn || !cache_dir_lock(&v->dir, 0))
		return false;
	if (catalog_is_current(&v->side, &v->dir))
		return true;
	cache_dir_unlock(&v->dir);
	return false;
}

/* Write what was read so far and read it back, for memory's sake. */
static int spill(struct refresh *sw, struct err *e)
{
	struct cache *v = sw->ctx;

	sw->spill = NULL;
	if (!may_spill(v))
		return 0;
	count(&v->side);
	v->side.max_id = 0;
	/* The disk may be full: memory will do. */
	if ((v->side.map ? catalog_write_append(&v->side, &v->dir)
			 : catalog_write_replace(&v->side, &v->dir, v->path,
						 &v->root)) < 0)
		return 0;
	catalog_close(&v->side);
	mem_trim();
	if (catalog_open(&v->side, &v->dir, v->path, &v->root) != 1)
		return err_set(e, ERR_SYSTEM, "cannot read a cache");
	sw->spill = spill;
	return 0;
}

/* Sweep with the sidecar that V has: 1, 0: it is damaged, -1. */
static int run(struct store *s, struct cache *v, unsigned what, struct err *e)
{
	struct refresh sw = {
		.store = s, .path = v->path, .side = &v->side, .what = what};
	bool damaged = false;
	struct err why;
	int r;

	if (v->dir.path && !v->lent) {
		sw.spill = spill;
		sw.ctx = v;
	}
	r = refresh_run(&sw, &damaged, &why);
	v->news.files = sw.files;
	v->news.read = sw.intake.read;
	v->news.gone = sw.gone;
	refresh_release(&sw);
	if (r < 0 && !damaged && e)
		*e = why;
	return r == 0 ? 1 : damaged ? 0 : -1;
}

/* Sweep with a new sidecar, on the disk if that can be. */
static int make(struct store *s, struct cache *v, unsigned what, struct err *e)
{
	const bool held = v->dir.locked;
	int r;

	v->news.made = true;
	if (v->dir.path)
		cache_dir_lock(&v->dir, 0);
	if (v->dir.locked)
		unlinkat(v->dir.fd, CATALOG_NAME, 0);
	r = begin(v) < 0 ? err_sys(e, "cannot get random bytes")
			 : run(s, v, what, e);
	/* What was spilled may be gone. */
	if (r < 0 && v->side.map) {
		cache_dir_unlock(&v->dir);
		r = begin(v) < 0 ? -1 : run(s, v, what, e);
	}
	if (r == 1)
		keep(v);
	if (!held)
		cache_dir_unlock(&v->dir);
	return r == 1 ? 1 : -1;
}

/* Sweep with the sidecar that is there: 1, 0: there is none, -1: it is of no
 * use, or a folder cannot be read. */
static int try(struct store *s, struct cache *v, unsigned what, struct err *e)
{
	int r = cache_load(v);

	v->news.damaged = r < 0;
	if (r == 1) {
		r = run(s, v, what, e);
		v->news.damaged = r == 0;
		r = r ? r : -1;
	}
	return r;
}

/* The same, and see that nobody has put it right meanwhile, if the lock can be
 * had; it stays ours then. */
static int find(struct store *s, struct cache *v, unsigned what, struct err *e)
{
	const bool told = v->damaged, held = v->dir.locked;
	int r;

	if (told && v->dir.path && cache_dir_lock(&v->dir, 0) &&
	    !catalog_is_current(&v->side, &v->dir))
		forget(v);
	r = try(s, v, what, e);
	if (r != 1 && !told && !held && v->dir.path &&
	    cache_dir_lock(&v->dir, 0))
		r = try(s, v, what, e);
	return r;
}

int cache_refresh(struct store *s, unsigned what, struct cache **c,
		  struct err *e)
{
	const bool may_make = what & REFRESH_MAKE;
	struct cache *v;
	bool held;
	int r;

	*c = NULL;
	if (s->fd < 0)
		return 0;
	v = cache_of(s);
	held = v->dir.locked;
	v->news = (struct view_news){0};
	if (!cache_find_dir(s, v, may_make) && !(may_make && v->path))
		return 0;
	r = find(s, v, what, e);
	if (r == 1) {
		keep(v);
	} else {
		forget(v);
		/* Nobody shall find again what is of no use. */
		if (v->news.damaged && v->dir.locked)
			unlinkat(v->dir.fd, CATALOG_NAME, 0);
		r = may_make ? make(s, v, what, e) : 0;
		if (r != 1)
			forget(v);
	}
	if (!held)
		cache_dir_unlock(&v->dir);
	if (r == 1)
		*c = v;
	return r;
}

int cache_lock(struct store *s, int wait_ms)
{
	struct cache *v = s->fd < 0 ? NULL : cache_of(s);

	return v && cache_find_dir(s, v, true) &&
	       cache_dir_lock(&v->dir, wait_ms);
}

void cache_make(struct store *s)
{
	struct cache *c;

	if (!cache_lock(s, 0))
		return;
	mem_trim();
	cache_refresh(s, REFRESH_IDS | REFRESH_MAKE, &c, NULL);
	cache_unlock(s);
	mem_trim();
}

void cache_unlock(struct store *s)
{
	if (s->cache)
		cache_dir_unlock(&s->cache->dir);
}

int cache_set_note(struct store *s, enum view_note which, const void *p,
		   size_t len)
{
	struct cache *v = s->cache;
	unsigned char *note;

	if (!v || !v->open || !v->dir.locked || len > VIEW_NOTE_SIZE ||
	    !catalog_is_current(&v->side, &v->dir) || !v->side.map)
		return -1;
	note = v->side.notes + (size_t)which * VIEW_NOTE_SIZE;
	memset(note, 0, VIEW_NOTE_SIZE);
	memcpy(note, p, len);
	v->side.notes_changed = true;
	return catalog_write_append(&v->side, &v->dir);
}
