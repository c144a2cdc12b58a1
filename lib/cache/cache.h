/* cache.h: what the files of a store hold, without reading them again.
 *
 * $XDG_CACHE_HOME/co-cli/KEY/files, the catalog, keeps of each memory, article
 * and category file its stat and what was read from it; see co-cache(5).  A
 * refresh asks the system for the stat of each file, reads only those that are
 * not what they were, and gives a view: what the files hold now.  Folders that
 * did not change are not listed again.  Files are the truth: where anything is
 * doubtful, they are read; a catalog that is damaged, foreign or of a future
 * version is made anew; where it cannot be written it is done without.
 *
 * What a file says beside the fields of its schema is known as well: records and
 * documents have it as `keys`, so that who hides or ranks by `expires`,
 * `superseded` or any other key asks record_keys_find(), and reads the file only
 * where that cannot tell (see repo/record-keys.h).
 *
 * A refresh reports nothing.  A file that cannot be read as what it should be
 * is handed out as such (`plain`), so that whoever reads it reports it as ever.
 */
#ifndef CO_CACHE_CACHE_H
#define CO_CACHE_CACHE_H

#include "cache/view.h"

/* A store of fewer memories is read faster than it is worth keeping. */
#define CACHE_WORTH 128

/* The cache of REPO, which is not looked at yet and stays where it is.  Release
 * with cache_close().  For all of these NULL is the cache of a store that is
 * not there. */
struct cache *cache_open(struct repo *repo);
void cache_close(struct cache *c);

/* Bring C up to date.  1: it is what is there now, until the next refresh; 0:
 * there is no catalog, and without REFRESH_MAKE none is made, or something
 * stood in the way: read the files, which tells what.  With REFRESH_MAKE, -1 is
 * ERR_SYSTEM: a folder cannot be read; a catalog that cannot be written is then
 * done without, in memory. */
int cache_refresh(struct cache *c, unsigned what, struct err *e);

/* cache_refresh(), and from now on, until cache_let() or cache_drop(), take what
 * was found as it was then: for who asks of one moment in several ways. */
int cache_hold(struct cache *c, unsigned what, struct err *e);
void cache_let(struct cache *c);

/* Take what the catalog knows as it was last left, without a look at any file,
 * where it knows more than MOST.  1: C is that until the next refresh; 0. */
int cache_take(struct cache *c, size_t most);

/* C is not used for a while, and nothing that it handed out ever again; then see
 * that nobody else has touched what it knows, or forget it.  So the catalog
 * stays mapped from one question to the next, and each refresh still asks each
 * file.  The store of C is opened again at the same address. */
void cache_rest(struct cache *c);
void cache_wake(struct cache *c);

/* Changes whenever what C knows may have: what was made of it is right as long
 * as this stays.  0: it knows nothing. */
uint64_t cache_changes(const struct cache *c);

/* Make a catalog, if nobody is in the way: for the next who asks. */
void cache_make(struct cache *c);

/* Forget what is known, the mapped catalog included.  Cannot fail. */
void cache_drop(struct cache *c);

/* Forget it and remove the cache folder, the index with it, durably: for what
 * must not be kept anywhere.  0, -1. */
int cache_purge(struct cache *c, struct err *e);

/* Hold the lock of the cache folder, so that nobody else changes what is in
 * there, from before a refresh to after whatever follows from it.  Waits at
 * most WAIT_MS.  1, or 0: it stays taken, or the folder cannot be written. */
int cache_lock(struct cache *c, int wait_ms);
void cache_unlock(struct cache *c);

/* Leave one of LEN bytes; the lock is held.  0, or -1 where it was not kept
 * (nothing else is lost by that). */
int cache_set_note(struct cache *c, enum view_note which, const void *p,
		   size_t len);

/* The steps of a refresh, for assume.c.  Know the folder, made if MAKE: 1, 0;
 * have the catalog as it is now, BRIEF as catalog_open() has it: 1, 0: there is
 * none, -1: one of no use; write what it has not got on the disk, the lock being
 * ours: 0, -1. */
int cache_find_dir(struct cache *c, bool make);
int cache_load(struct cache *c, bool brief);
int cache_save(struct cache *c);

#endif
