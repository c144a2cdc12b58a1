/* catalog-write.h: writing a catalog.
 *
 * The lock of the cache folder is held, and S is what the file in there holds
 * (catalog_is_current()), apart from what was changed in memory since.
 * Documents get their numbers as they are written: those of a view that was
 * not written are above CATALOG_WRITE_GUESS and mean nothing to others.
 */
#ifndef CO_CACHE_CATALOG_WRITE_H
#define CO_CACHE_CATALOG_WRITE_H

#include "cache/catalog.h"

#define CATALOG_WRITE_GUESS ((uint32_t)1 << 31)

/* Append what is new in S: 0, or -1, and nothing is kept.  S stays valid, and
 * may be changed and written again. */
int catalog_write_append(struct catalog *s, const struct cache_dir *d);

/* Write all of S as a new file of the store at PATH, the folder ST; S can then
 * be read, but not written again. */
int catalog_write_replace(struct catalog *s, const struct cache_dir *d,
			  const char *path, const struct stat *st);

/* True if there is anything to write; true if it had better be a new file. */
bool catalog_write_is_due(const struct catalog *s);
bool catalog_write_is_long(const struct catalog *s);

#endif
