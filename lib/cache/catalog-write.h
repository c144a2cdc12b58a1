/* catalog-write.h: writing a sidecar.
 *
 * The lock of the cache folder is held, and S is what the file in there holds
 * (sidecar_is_current()), apart from what was changed in memory since.
 * Documents get their numbers as they are written: those of a view that was
 * not written are above SIDECARW_GUESS and mean nothing to others.
 */
#ifndef CO_SIDECARW_H
#define CO_SIDECARW_H

#include "cache/catalog.h"

#define SIDECARW_GUESS ((uint32_t)1 << 31)

/* Append what is new in S: 0, or -1, and nothing is kept.  S stays valid, and
 * may be changed and written again. */
int sidecarw_append(struct sidecar *s, const struct cachedir *d);

/* Write all of S as a new file of the store at PATH, the folder ST; S can then
 * be read, but not written again. */
int sidecarw_replace(struct sidecar *s, const struct cachedir *d,
		     const char *path, const struct stat *st);

/* True if there is anything to write; true if it had better be a new file. */
bool sidecarw_is_due(const struct sidecar *s);
bool sidecarw_is_long(const struct sidecar *s);

#endif
