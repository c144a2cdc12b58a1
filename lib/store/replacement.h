/* replacement.h: replace memories by another one.
 *
 * The new memory gets `supersedes: [OLD]`. The old one gets `superseded: NEW` and moves
 * to archive/. In a team's store it stays in its directory, and that key hides it (see
 * MARK_REPLACED). All changes are steps of one journal.
 */
#ifndef CO_STORE_REPLACEMENT_H
#define CO_STORE_REPLACEMENT_H

#include "store/journal.h"

#define REPLACEMENT_NEW "supersedes" /* a list of ids, in the new memory */
#define REPLACEMENT_OLD "superseded" /* an id, in the old memory */

/* Keys of a draft: the id of the memory that it will replace, and the time at which that
 * was created; lists if there are several. */
#define DRAFTS_REPLACES "replaces"
#define DRAFTS_REPLACES_CREATED "replaces-created"

#define REPLACEMENT_MAX 50 /* memories that one memory can replace */

/* Return the next line at *P, allocated in A, and advance *P; NULL at the end. */
const char *replacement_next(const char **p, struct arena *a);

/* Return true if TEXT, which may be NULL, contains the line LINE. */
bool replacement_has(const char *text, const char *line);

/* Return the memory or draft TEXT with ID in its list `supersedes` if DOES, or
 * without it if not. Return TEXT itself if that changes nothing, else a copy
 * allocated in A. */
const struct buf *replacement_supersede(const struct buf *text, int64_t id,
					bool does, struct arena *a);

/* Add to J the steps that mark the memories at OLD, one absolute path per line, as
 * replaced by the memory with ID. ID 0: the key `superseded` is not written. Return
 * 0 or -1. */
int replacement_add(struct journal *j, const char *old, int64_t id,
		    struct err *e);

/* Set *TEXT, the memory at PATH, to the text without the key `superseded`, allocated
 * in J's arena, and add to J the steps that remove its id from the memory that
 * replaced it. Return 0 or -1. */
int replacement_free(struct journal *j, const char *path,
		     const struct buf **text, struct err *e);

#endif
