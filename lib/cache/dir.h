/* dir.h: the cache directory of one store, or of data that belongs to no store.
 *
 * It is $XDG_CACHE_HOME/co-cli/KEY, where KEY is 32 hexadecimal digits made
 * from the store's real path. It is made with mode 0700. It is ignored if it is
 * a link, belongs to another user, or can be written by others. Its contents
 * are derived and may be removed at any time.
 */
#ifndef CO_CACHE_DIR_H
#define CO_CACHE_DIR_H

#include "base/err.h"

#include <sys/stat.h>

struct cache_dir {
	int fd;	    /* -1: none */
	char *path; /* absolute; NULL if fd is -1 */
	bool locked;
};

/* Open the directory of the store at the real path STORE; make it if it is
 * absent and MAKE. A STORE that does not begin with a slash is the name of a
 * directory without a store. Return 1, or 0 if it is absent or not trusted. Release D
 * with cache_dir_close(). */
int cache_dir_open(struct cache_dir *d, const char *store, bool make);
void cache_dir_close(struct cache_dir *d);

/* Lock D, waiting at most WAIT_MS. Return 1 or 0. The lock ends with
 * cache_dir_unlock(), cache_dir_close() or the process. */
int cache_dir_lock(struct cache_dir *d, int wait_ms);
void cache_dir_unlock(struct cache_dir *d);

/* Open the file NAME in D for reading, or with WRITE for appending. Return 1,
 * with *ST its stat and *FD, which the caller closes; or 0 if it is absent or
 * not a private regular file. */
int cache_dir_file(const struct cache_dir *d, const char *name, bool write,
		   int *fd, struct stat *st);

/* Make a temporary file in D, replacing one that a dead writer left. Return its
 * descriptor or -1. Fill it, then call cache_dir_put(). The caller holds the
 * lock. */
int cache_dir_new(const struct cache_dir *d);

/* Rename the file of cache_dir_new() to NAME, or remove it if NAME is NULL.
 * Return 0 or -1. */
int cache_dir_put(const struct cache_dir *d, const char *name);

/* Remove the directory of the store at STORE with all files that we made in it,
 * durably. Processes that have them open keep them. Return 0, or -1 if
 * something may be left. */
int cache_dir_remove(const char *store, struct err *e);

/* Remove the sibling directories of D whose store no longer exists. OWNER reads
 * the path of a directory's store into *STORE (the caller frees it) and returns
 * true if it is known. Files that we did not make stay. Only the first call of a
 * process does this: a process may write the caches of many stores. */
typedef bool cache_dir_owner_fn(const struct cache_dir *d, char **store);
void cache_dir_prune(const struct cache_dir *d, cache_dir_owner_fn *owner);

#endif
