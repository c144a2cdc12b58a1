/* trash.h: forgetting, and taking it back.
 *
 * One removal is one folder of the trash, whose number grows; the newest is
 * the one with the highest.  Nothing is deleted but by a purge, and even that
 * keeps the id from being issued again.
 */
#ifndef CO_STORE_TRASH_H
#define CO_STORE_TRASH_H

#include "store/results.h"

/* Move what stands at the N PATHS (memories, drafts or articles, as
 * store_locate() gives them) to one new folder of the trash; with PURGE delete
 * them, from trash too, leaving an empty marker for each id, and all that the
 * cache knows.  MOVED, unless NULL, has room for N paths and gets where each is
 * now, in A; NULLs for a purge.  ERR_BUSY: one is not what was expected, and
 * nothing is changed. */
int trash_remove(struct store *s, const char *const *paths, size_t n,
		 bool purge, struct arena *a, const char **moved,
		 struct err *e);

/* Bring the memory or article at PATH, in the trash, back to where it was, or
 * one in drafts to memories; the next id is taken where its own is taken; R
 * lives in A. */
int trash_restore(struct store *s, const char *path, struct arena *a,
		  struct record *r, struct err *e);

/* Make the draft at PATH a memory, as trash_restore() does, in the place of the
 * memories at OLD, a path a line, unless that is NULL: all or none (see
 * replacement.h). */
int trash_promote(struct store *s, const char *path, const char *old,
		  struct arena *a, struct record *r, struct err *e);

/* Make the memory at PATH, which was accepted, a draft again, and bring the
 * memories that stood at REPLACED, a path a line, unless that is NULL, back from
 * the trash, first; R, the draft, lives in A. */
int trash_demote(struct store *s, const char *path, const char *replaced,
		 struct arena *a, struct record *r, struct err *e);

/* Call FN for each article in the trash, the newest removals first, as
 * store_each() does for memories. */
int trash_each_article(struct store *s, store_fn *fn, void *ctx, struct err *e);

/* Bring back whole the newest folder of the trash that was made here.  Returns 1
 * (OUT, which is zeroed, has what came back, as it was called; what is broken
 * has a path and no id), 0 when there is none, -1.  *FOREIGN (may be NULL) is
 * yours: the newest above it, below knowledge/, that a clone or a copy brought,
 * or NULL. */
int trash_undo(struct store *s, struct results *out, char **foreign,
	       struct err *e);

#endif
