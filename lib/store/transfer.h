/* transfer.h: move drafts from a work tree to its git directory.
 *
 * In a git work tree a draft is written to the git directory (see shared_path()), where
 * it outlives the work tree. If that cannot be written, as in an agent's sandbox, the
 * draft is written to drafts/ of the work tree, and the next writer that can moves it.
 * The git directory may be on another file system, so a draft is copied, synced, and
 * only then unlinked. If the process is killed in between, two equal files exist, and
 * the next writer unlinks one.
 *
 * Several work trees share the directory. It has a lock, taken after the store's.
 */
#ifndef CO_STORE_TRANSFER_H
#define CO_STORE_TRANSFER_H

#include "format/value.h"
#include "store/handle.h"

/* Release the lock of LAYOUT_SHARED, if it is held. */
void transfer_unlock(struct store *s);

/* Prepare to save a draft: take the lock, if possible, and add the name of the work
 * tree to the frontmatter MAP, which has room for one more pair. MAP may be NULL. */
void transfer_begin(struct store *s, struct value *map);

/* Open FOLDER like layout_open(). If it is LAYOUT_SHARED, take its lock first; it is
 * held until transfer_unlock(). *FD is -1 if the result is not 1. */
int transfer_open(struct store *s, const char *folder, int *fd, struct err *e);

/* Move the files of drafts/ to the git directory, as far as possible. The caller holds
 * the store's lock. */
void transfer_out(struct store *s);

/* Move the file NAME of drafts/ to the git directory, if possible. Return its path
 * after that, moved or not, allocated in A. The caller holds the store's lock. */
const char *transfer_one(struct store *s, const char *name, struct arena *a);

/* Return true if drafts/ has a file to move. The caller need not hold the lock. */
bool transfer_pending(struct store *s);

#endif
