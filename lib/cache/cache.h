/* cache.h: the contents of a store's files, without reading them again.
 *
 * $XDG_CACHE_HOME/co-cli/KEY/files, the catalog, has for each memory, article
 * and category file its stat and what was read from it; see catalog.h. A
 * refresh asks the system for the stat of each file, reads the files that
 * changed, and yields a view (view.h). Directories that did not change are not
 * listed again.
 *
 * The files are the truth. In doubt they are read. A catalog that is damaged,
 * foreign or of a future version is made anew; one that cannot be written is
 * kept in memory.
 *
 * Records and documents also have the other keys of their file (`keys`). A
 * caller that hides or ranks by `expires`, `superseded` or another key calls
 * record_keys_find(), and reads the file only if that cannot tell (see
 * repo/record-keys.h).
 *
 * Other derived data of a store lies next to the catalog: this header includes dir.h,
 * the directory, and filestat.h, to detect changed files.
 *
 * A refresh reports no faulty file. A file that cannot be read as what it
 * should be is passed on as `plain`; the caller reads and reports it.
 */
#ifndef CO_CACHE_CACHE_H
#define CO_CACHE_CACHE_H

#include "cache/view.h"

/* In a store with fewer memories, reading the files is faster. */
#define CACHE_WORTH 128

/* Return the cache of REPO; REPO stays at its address. Nothing is opened yet.
 * Release it with cache_close(). All functions here except the last three take
 * NULL for the cache of a missing store. */
struct cache *cache_open(struct repo *repo);
void cache_close(struct cache *c);

/* Bring C up to date for the areas WHAT (REFRESH_MEMORIES and so on). Return 1
 * if C is valid until the next refresh. Return 0 if there is no usable catalog
 * and WHAT is without REFRESH_MAKE: read the files. With REFRESH_MAKE, return
 * -1 (ERR_SYSTEM) if a directory cannot be read; a catalog that cannot be
 * written is then kept in memory. */
int cache_refresh(struct cache *c, unsigned what, struct err *e);

/* cache_hold() calls cache_refresh(). If that returned 1, later refreshes of
 * the areas that it refreshed return 1 without a look at any file, until
 * cache_let() or cache_drop(): several questions see one moment. */
int cache_hold(struct cache *c, unsigned what, struct err *e);
void cache_let(struct cache *c);

/* Load the catalog without checking any file, if it has more than MOST entries.
 * It may be out of date. Return 1 if C has it until the next refresh, else
 * 0. */
int cache_take(struct cache *c, size_t most);

/* cache_rest() ends all borrowed pointers, and keeps the catalog mapped for the
 * next question. cache_wake() drops it if another process has changed it since.
 * The next refresh checks each file as always. The store of C may be opened
 * again in between, at the same address. */
void cache_rest(struct cache *c);
void cache_wake(struct cache *c);

/* Return a number that changes when the contents of C may have changed, or 0 if
 * C has none. */
uint64_t cache_changes(const struct cache *c);

/* Make a catalog of all files with ids (REFRESH_IDS) for this and later readers.
 * Return as cache_refresh(), and 0 if another process holds the lock. */
int cache_make(struct cache *c);

/* Discard what C knows, and unmap the catalog. */
void cache_drop(struct cache *c);

/* Like cache_drop(), then remove the cache directory with the index, durably.
 * Return 0, or -1 with E set. */
int cache_purge(struct cache *c, struct err *e);

/* Lock the cache directory, and make it if it is missing. A caller that stores
 * what it derives from a view takes the lock before the refresh and releases it
 * after its last write. Wait at most WAIT_MS. Return 1, or 0 if another process
 * holds the lock or the directory cannot be written. */
int cache_lock(struct cache *c, int wait_ms);
void cache_unlock(struct cache *c);

/* Write the note WHICH of LEN bytes, at most VIEW_NOTE_SIZE, into the catalog
 * on disk. The caller must hold the lock. Return 0, or -1 if it was not
 * written; the catalog is then as before. */
int cache_set_note(struct cache *c, enum view_note which, const void *p,
		   size_t len);

/* Replace the file NAME in the cache directory by the LEN bytes of P, or write it.
 * NAME is one that cache_purge() removes. The caller must hold the lock. Return 0 or
 * -1. */
int cache_put_file(struct cache *c, const char *name, const char *p,
		   size_t len);

/* The steps of a refresh, for write-hints.c.
 *
 * cache_find_dir() finds the cache directory, and makes it if MAKE; returns 1,
 * or 0 if there is none. cache_load() loads the current catalog, BRIEF as for
 * catalog_open(); returns 1, 0 if there is none, -1 if it is unusable.
 * cache_save() writes new and changed entries; the caller must hold the lock;
 * returns 0 or -1. */
int cache_find_dir(struct cache *c, bool make);
int cache_load(struct cache *c, bool brief);
int cache_save(struct cache *c);

#endif
