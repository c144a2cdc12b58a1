/* replacement.h: one memory in the place of others.
 *
 * The new one says `supersedes: [OLD]`.  The old one says `superseded: NEW` and moves
 * to archive/.  In a team's store it stays where it is, and is hidden by what it says
 * (see MARK_REPLACED).  Both are steps of one journal.
 */
#ifndef CO_STORE_REPLACEMENT_H
#define CO_STORE_REPLACEMENT_H

#include "store/journal.h"

#define REPLACEMENT_NEW "supersedes" /* a list of ids, in the new one */
#define REPLACEMENT_OLD "superseded" /* an id, in the old one */

/* Keys of a draft: the id of the memory that it will replace, and the time at which that
 * was created; lists if there are several. */
#define DRAFTS_REPLACES "replaces"
#define DRAFTS_REPLACES_CREATED "replaces-created"

#define REPLACEMENT_MAX 50 /* that one memory replaces */

/* Return the next of the lines at *P, allocated in A; NULL at their end. */
const char *replacement_next(const char **p, struct arena *a);

/* Return true if one of the lines of TEXT, which may be NULL, is LINE. */
bool replacement_has(const char *text, const char *line);

/* Return the memory or draft TEXT with ID in the list of those that it supersedes, or
 * without it unless DOES; TEXT itself if that changes nothing.  Allocated in A. */
const struct buf *replacement_supersede(const struct buf *text, int64_t id,
					bool does, struct arena *a);

/* Add to J the steps by which the memory with ID replaces those at OLD, an absolute
 * path a line.  ID 0: the old ones do not say which.  Returns 0 or -1. */
int replacement_add(struct journal *j, const char *old, int64_t id,
		    struct err *e);

/* Take out of *TEXT, the memory at PATH, that it is superseded, and add to J the steps
 * by which those that replaced it no longer say so.  Returns 0 or -1. */
int replacement_free(struct journal *j, const char *path,
		     const struct buf **text, struct err *e);

#endif
