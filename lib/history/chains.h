/* chains.h: check and follow the chains of memories that replaced each other.
 *
 * A replaced memory names its replacement (`superseded`); a draft names what it
 * is to replace (`replaces`). Each of these ids must be that of a memory, an
 * archived or a deleted one included, and no memory may replace itself,
 * directly or through others. What a memory replaced (`supersedes`) is not current.
 *
 * A memory in the archive that was not replaced was put there by git: if all
 * memories of a directory were replaced, git takes the directory for renamed,
 * and moves new files of others into the archive too.
 */
#ifndef CO_HISTORY_CHAINS_H
#define CO_HISTORY_CHAINS_H

#include "store/display.h"

#define CHAINS_LOST "archive" /* not replaced, and no other memory has its id */

/* Called with each fault. KIND is CHAINS_LOST or "chain". TEXT begins with
 * the place in the file at PATH. REMEDY says what to do. KIND and REMEDY are
 * static. */
typedef void chains_fn(void *ctx, const char *kind, const char *path,
		       const char *text, const char *remedy);

/* Report the faults of S to FN. Faults in an unreadable directory or file are
 * skipped; if it belongs to the memories or the archive, the result is -1:
 * ERR_SYSTEM, or ERR_DATA if a file is where a directory is expected. */
int chains_check(struct store *s, chains_fn *fn, void *ctx, struct err *e);

/* Find the memory ID of S, and all memories that it replaced or that replaced
 * it, directly or not. Sets OUT, allocated in A, newest first; it is empty if
 * there is no such memory. */
int chains_follow(struct store *s, int64_t id, struct arena *a,
		  struct records *out, struct err *e);

#endif
