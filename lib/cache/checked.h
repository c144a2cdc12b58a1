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

/* Those of C, which was refreshed and is not until checked_close(), under RULES, a
 * number that is another when what is looked for is.  Yours. */
struct checked *checked_open(struct cache *c, uint64_t rules);

/* Release it, NULL too, and keep what was added, if nobody is in the way. */
void checked_close(struct checked *k);

/* True if all that FOLDER, below knowledge/, holds is marked. */
bool checked_is_clean(const struct checked *k, const char *folder);

/* Call FN for each memory in such folders; strings are borrowed from the
 * catalog. */
typedef void checked_fn(void *ctx, const char *folder, const char *name,
			int64_t id, struct instant at);
void checked_each(const struct checked *k, checked_fn *fn, void *ctx);

/* True if the memory NAME in FOLDER is marked: its id and time. */
bool checked_has(struct checked *k, const char *folder, const char *name,
		 int64_t *id, struct instant *at);

/* It is from now on, if TEXT, as checked_text() has it, is what is known of
 * it: true. */
bool checked_add(struct checked *k, const char *folder, const char *name,
		 uint64_t text);

/* FOLDER has nothing but what is marked. */
void checked_add_folder(struct checked *k, const char *folder);

/* What tells the LEN bytes of TEXT from others.  Threads may ask this at
 * once. */
uint64_t checked_text(const struct checked *k, const char *text, size_t len);

#endif
