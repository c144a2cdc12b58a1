/* trash.h: remove memories, and bring them back.
 *
 * Each removal is one directory of the trash. Its number grows, so the newest has the
 * highest. Only a purge deletes anything, and even then the id is never given again.
 */
#ifndef CO_STORE_TRASH_H
#define CO_STORE_TRASH_H

#include "store/results.h"
#include "store/trash-folders.h"

/* Move the files at the N PATHS (memories, drafts or articles, as store_locate()
 * returns them) to one new directory of the trash. With PURGE, delete them, with their
 * versions in the operation log, copies of the editor, and the cache, and leave an
 * empty marker for each id. Other copies in the trash stay.
 *
 * MOVED, unless it is NULL, has room for N paths and gets the new ones, allocated in
 * A; NULL for a file that did not move. A path that is refused or cannot be read
 * does not stop the others. If a file cannot be moved, none is; a purge deletes the
 * others. Return 0 or -1; ERR_BUSY: a file is not the one that store_expect() wants,
 * and nothing is changed. */
int trash_remove(struct store *s, const char *const *paths, size_t n,
		 bool purge, struct arena *a, const char **moved,
		 struct err *e);

/* Move the draft at PATH, which became an article or an item, to LAYOUT_ACCEPTED of a new
 * directory of the trash. The caller holds the lock. Return as trash_remove(). */
int trash_accepted(struct store *s, const char *path, struct arena *a,
		   struct err *e);

/* Bring the memory or article at PATH, in the trash or the archive, back to where it
 * was, or move a draft to memories. It gets the next id if another file has its own.
 * R, allocated in A, is then the memory; if it cannot be read, that is reported, and
 * R has only its path. Return 0 or -1. */
int trash_restore(struct store *s, const char *path, struct arena *a,
		  struct record *r, struct err *e);

/* Make the draft at PATH a memory, as trash_restore() does. It replaces the memories at
 * OLD, one path per line, unless that is NULL (see replacement.h). The caller holds the
 * lock. */
int trash_promote(struct store *s, const char *path, const char *old,
		  struct arena *a, struct record *r, struct err *e);

/* Make the memory at PATH, an accepted draft, a draft again. Bring back the memories
 * that it replaced, which were at REPLACED, one path per line, unless that is NULL.
 * R, allocated in A, is then the draft. The caller holds the lock. Return 0 or -1. */
int trash_demote(struct store *s, const char *path, const char *replaced,
		 struct arena *a, struct record *r, struct err *e);

/* Call FN for each article in the trash, those of the newest removal first. Return as
 * store_each() does. */
int trash_each_article(struct store *s, store_fn *fn, void *ctx, struct err *e);

/* Bring back all files of the newest removal that was made here. Return 1, 0 if
 * there is none, or -1. Add the files to OUT, which the caller zeroed; a broken one
 * has a path and no id. If removals from a clone or a copy are newer than that one,
 * set *FOREIGN to the newest, a path below knowledge/, else to NULL; the caller
 * frees it. FOREIGN may be NULL. */
int trash_undo(struct store *s, struct results *out, char **foreign,
	       struct err *e);

#endif
