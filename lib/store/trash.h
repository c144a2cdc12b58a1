/* trash.h: remove memories, and bring them back.
 *
 * Each removal is one directory of the trash.  Its number grows, so the newest has the
 * highest.  Only a purge deletes anything, and even then the id is never given again.
 */
#ifndef CO_STORE_TRASH_H
#define CO_STORE_TRASH_H

#include "store/results.h"

/* Move the files at the N PATHS (memories, drafts or articles, as store_locate()
 * returns them) to one new directory of the trash.  With PURGE, delete them, also from
 * the trash and the cache, and leave an empty marker for each id.  MOVED, unless it is
 * NULL, has room for N paths and gets the new ones, allocated in A; NULL for a file that
 * did not move.  A path that is refused or cannot be read does not stop the others.
 * If a file cannot be moved, none is; a purge deletes the others.  Returns 0 or -1;
 * ERR_BUSY: a file is not what was expected, and nothing is changed. */
int trash_remove(struct store *s, const char *const *paths, size_t n,
		 bool purge, struct arena *a, const char **moved,
		 struct err *e);

/* Bring the memory or article at PATH, in the trash or the archive, back to where it
 * was, or move a draft to memories.  It gets the next id if another file has its own.
 * R, allocated in A, is then the memory. */
int trash_restore(struct store *s, const char *path, struct arena *a,
		  struct record *r, struct err *e);

/* Make the draft at PATH a memory, as trash_restore() does, in the place of the
 * memories at OLD, a path a line, unless that is NULL (see replacement.h). */
int trash_promote(struct store *s, const char *path, const char *old,
		  struct arena *a, struct record *r, struct err *e);

/* Make the memory at PATH, which was accepted, a draft again, and bring back the
 * memories that it replaced, which were at REPLACED, a path a line, or NULL.  R,
 * allocated in A, is then the draft. */
int trash_demote(struct store *s, const char *path, const char *replaced,
		 struct arena *a, struct record *r, struct err *e);

/* Call FN for each article in the trash, those of the newest removal first.  Otherwise
 * like store_each(). */
int trash_each_article(struct store *s, store_fn *fn, void *ctx, struct err *e);

/* Bring back all files of the newest removal that was made here.  Returns 1, 0 if there
 * is none, or -1.  OUT, zeroed by the caller, gets the files; a broken one has a path and
 * no id.  *FOREIGN, unless FOREIGN is NULL, is the newest removal, a path below
 * knowledge/, that a clone or a copy brought after that one, or NULL; the caller frees
 * it. */
int trash_undo(struct store *s, struct results *out, char **foreign,
	       struct err *e);

#endif
