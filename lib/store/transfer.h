/* transfer.h: drafts on their way between a work tree and its git dir.
 *
 * In a git work tree a draft is written to the git dir (see shared_path()),
 * where it outlives the work tree; where that cannot be written, as in an
 * agent's sandbox, to the work tree's drafts/, from where the next writer that
 * can moves it.  The git dir may be another file system: a draft is copied,
 * synced, and only then unlinked.  Killed in between it stands in both places,
 * to the byte, and the next writer unlinks one.
 *
 * Several work trees share the folder, and it has a lock of its own, taken
 * after the store's.
 */
#ifndef CO_STORE_TRANSFER_H
#define CO_STORE_TRANSFER_H

#include "format/value.h"
#include "store/handle.h"

/* Give the lock of LAYOUT_SHARED back, as is done with that of the store. */
void transfer_unlock(struct store *s);

/* A draft of the frontmatter MAP, which has room for one more pair, is about to
 * be saved: take the lock, if there is one to be had, and note which work tree
 * it comes from, unless MAP is NULL. */
void transfer_begin(struct store *s, struct value *map);

/* layout_open(); the lock is taken too, where FOLDER is LAYOUT_SHARED. */
int transfer_open(struct store *s, const char *folder, int *fd, struct err *e);

/* Move what lies in drafts/ to the git dir, as far as that can be done.  The
 * store's lock is ours. */
void transfer_out(struct store *s);

/* The same for the file NAME of drafts/: its path from now on, in A. */
const char *transfer_one(struct store *s, const char *name, struct arena *a);

/* True if there is something to move, for those without the lock. */
bool transfer_pending(struct store *s);

#endif
