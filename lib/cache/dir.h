/* dir.h: the folder in the user's cache that belongs to one store.
 *
 * $XDG_CACHE_HOME/co-cli/KEY, KEY being 32 hexadecimal digits of the store's
 * real path.  0700, ours, no link: another's folder of that name is refused,
 * which is as good as none.  What it holds is derived and may go at any time.
 */
#ifndef CO_CACHE_DIR_H
#define CO_CACHE_DIR_H

#include "base/err.h"

#include <sys/stat.h>

struct cache_dir {
	int fd;	    /* -1: there is none */
	char *path; /* absolute; NULL with that */
	bool locked;
};

/* Open the folder of the store at the real path STORE, with MAKE made where it
 * is absent.  1, or 0: absent, not to be made, or not to be trusted.  Release
 * with cache_dir_close(). */
int cache_dir_open(struct cache_dir *d, const char *store, bool make);
void cache_dir_close(struct cache_dir *d);

/* Take the lock of D, waiting at most WAIT_MS: 1, 0.  It is let go by
 * cache_dir_unlock() or cache_dir_close(), or by dying. */
int cache_dir_lock(struct cache_dir *d, int wait_ms);
void cache_dir_unlock(struct cache_dir *d);

/* Open the file NAME in D for reading, or with WRITE for appending: 1, and *FD,
 * which is *ST, is yours, or 0: absent, or none that we would have made. */
int cache_dir_file(const struct cache_dir *d, const char *name, bool write,
		   int *fd, struct stat *st);

/* Make a file in D, to be filled and renamed by cache_dir_put(); one that is
 * there is of a dead writer.  The lock is ours.  The descriptor, or -1. */
int cache_dir_new(const struct cache_dir *d);

/* Give what cache_dir_new() made the NAME, or with NULL remove it: 0, -1. */
int cache_dir_put(const struct cache_dir *d, const char *name);

/* Remove the folder of the store at STORE with all that we made in it, durably,
 * also while others read or write there: what they have open is no longer
 * found.  0, or -1: it may hold something yet. */
int cache_dir_remove(const char *store, struct err *e);

/* Remove the folders beside D whose store is gone.  OWNER reads from an open
 * folder what it is for: true if its STORE (yours) is known.  What we did not
 * make stays.  Cannot fail. */
typedef bool cache_dir_owner_fn(const struct cache_dir *d, char **store);
void cache_dir_prune(const struct cache_dir *d, cache_dir_owner_fn *owner);

#endif
