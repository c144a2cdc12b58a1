/* chains.h: what replaced what, held to sense.
 *
 * What was replaced says by what (`superseded`), and a draft what it is to replace
 * (`replaces`): each id is to be a memory's, of the archive and the trash as well,
 * and no memory is to be replaced by itself, by way of others either.  What stands
 * in the archive and was not replaced, git has put there: it takes a folder of which
 * all was replaced for renamed, and moves what others have made in it.
 */
#ifndef CO_HISTORY_CHAINS_H
#define CO_HISTORY_CHAINS_H

#include "store/store.h"

#define CHAINS_LOST "archive" /* it was not replaced, and no other has its id */

/* Gets a fault: KIND is CHAINS_LOST or "chain"; TEXT begins with the place, which is
 * in the file at PATH; REMEDY, what to do about it, lives on, as KIND does. */
typedef void chains_fn(void *ctx, const char *kind, const char *path,
		       const char *text, const char *remedy);

/* Find the faults of S; where a folder or a file cannot be read, those that can be
 * told.  -1: that is so of the memories or the archive: ERR_SYSTEM; ERR_DATA, what is to
 * be a folder is none. */
int chains_check(struct store *s, chains_fn *fn, void *ctx, struct err *e);

/* The memory ID of S, those that it took the place of, and what took its, all the
 * way, in A: the newest first.  None: there is no such memory. */
int chains_follow(struct store *s, int64_t id, struct arena *a,
		  struct records *out, struct err *e);

#endif
