/* operations.h: read the log of the operations on a store.
 *
 * An operation is what one command did: it has a number, which grows, and the files that
 * it changed.  The log has the changes by our programs in this work tree, not those by an
 * editor or by a merge of git.  The sums show such a change: a file is as an operation
 * left it, or not.
 *
 * The log lies where no clone can write (see oplog.h).  No reader of a store needs it.  If
 * it is lost or damaged, its operations cannot be undone, and nothing else changes.
 *
 * As in git's reflog, lines are only appended, and the oldest are removed.  As in jj's
 * operation log, an undo is an operation, which can be undone.
 */
#ifndef CO_OPLOG_OPERATIONS_H
#define CO_OPLOG_OPERATIONS_H

#include "oplog/lines.h"
#include "repo/layout.h"
#include "oplog/lines-json.h"

struct operations {
	struct oplog_op *ops; /* the newest first */
	size_t n;
	struct timespec written; /* when the log was last written; 0: never */
};

/* Read into H, allocated in A, at least the WANT newest operations of REPO, SIZE_MAX: all.
 * No more of the log is read than that needs.  Damaged lines are skipped.  Returns 0 or
 * -1. */
int operations_read(struct repo *repo, size_t want, struct arena *a,
		    struct operations *h, struct err *e);

/* Return the operation NUMBER of H, or NULL. */
struct oplog_op *operations_find(const struct operations *h, int64_t number);

/* Set OUT to the bytes with the sum SUM, which an operation of H left in the log, in the
 * trash, or in the file itself.  Returns 1, 0 if they are lost, or -1. */
int operations_bytes(struct repo *repo, const struct operations *h,
		     const char *sum, struct buf *out, struct err *e);

/* Open the directory of PATH, which is below the root as above, and set *NAME, allocated
 * in A, to the file name.  Only links of the user's own store are followed.  Returns 1
 * (the caller closes *DIR), 0 if there is no such directory, or -1: ERR_DATA, also if
 * PATH cannot be a file of the store. */
int operations_open(struct repo *repo, const char *path, struct arena *a,
		    int *dir, const char **name, struct err *e);

#endif
