/* catalog-write.h: write a catalog.
 *
 * The caller holds the lock of the cache directory, and S is the file there
 * (catalog_is_current()) plus changes in memory. Documents get their final
 * numbers when they are written. Until then they have numbers from
 * CATALOG_WRITE_GUESS on, which are valid in one view only.
 */
#ifndef CO_CACHE_CATALOG_WRITE_H
#define CO_CACHE_CATALOG_WRITE_H

#include "cache/catalog.h"

#define CATALOG_WRITE_GUESS ((uint32_t)1 << 31)

/* Append the changes of S to the file. Return 0, or -1 if nothing was written.
 * S stays valid and may be changed and written again. */
int catalog_write_append(struct catalog *s, const struct cache_dir *d);

/* Write all of S to a new file, for the store at the path PATH with the stat
 * ST. S may then be read, but not written again. Return 0 or -1. */
int catalog_write_replace(struct catalog *s, const struct cache_dir *d,
			  const char *path, const struct stat *st);

/* catalog_write_is_due() returns true if S has changes to write,
 * catalog_write_is_long() if a new file is better than one more commit. */
bool catalog_write_is_due(const struct catalog *s);
bool catalog_write_is_long(const struct catalog *s);

#endif
