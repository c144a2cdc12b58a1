/* checked.h: the memories that a check found nothing wrong with, so that the
 * next one need not read them, nor list a folder that has nothing else.
 *
 * They are marked in the catalog, together with a number that stands for the rules
 * of the check; the mark goes when the file changes, a folder's when its names
 * do.
 */
#ifndef CO_CACHE_CHECKED_H
#define CO_CACHE_CHECKED_H

#include "cache/cache.h"

/* Call FN for each memory in such folders; strings are borrowed from the
 * catalog. */
typedef void checked_fn(void *ctx, const char *folder, const char *name,
			int64_t id, struct instant at);

#endif
