/* operations.h: read the log of the operations on a store.
 *
 * An operation is the changes of one command. It has a number, which grows, and the
 * files that it changed. The log has the changes by our programs in this work tree, not
 * those by an editor or a merge of git. The sums reveal such a change: the file does
 * not have the sum that the last operation left.
 *
 * No clone can write to the directory of the log (see oplog.h). Readers of a store do
 * not need it. If it is lost or damaged, its operations cannot be undone; nothing else
 * fails.
 *
 * As in git's reflog, lines are only appended, and the oldest are removed. As in jj's
 * operation log, an undo is an operation, which can be undone.
 */
#ifndef CO_OPLOG_OPERATIONS_H
#define CO_OPLOG_OPERATIONS_H

#include "oplog/lines-json.h"
#include "repo/layout.h"

struct operations {
	struct oplog_op *ops; /* the newest first */
	size_t n;
	struct timespec written; /* when the log was last written; 0: never */
};

/* Read into H, allocated in A, at least the WANT newest operations of REPO;
 * SIZE_MAX: all. Older segments of the log are not read. Damaged lines are skipped.
 * Return 0 or -1. */
int operations_read(struct repo *repo, size_t want, struct arena *a,
		    struct operations *h, struct err *e);

/* Return the operation NUMBER of H, or NULL. */
struct oplog_op *operations_find(const struct operations *h, int64_t number);

/* Set OUT to the content with the sum SUM, which an operation of H left in the log,
 * in the trash, or in the file itself. Return 1, 0 if it is lost, or -1. */
int operations_bytes(struct repo *repo, const struct operations *h,
		     const char *sum, struct buf *out, struct err *e);

/* Open the directory of PATH, a path of a change, as *DIR, and set *NAME to the file
 * name, borrowed from PATH or allocated in A. Links are followed only in the root
 * and knowledge/ of the user's store. Return 1, and the caller closes *DIR; 0 if
 * there is no such directory; or -1, with ERR_DATA if PATH cannot be a file of the
 * store. */
int operations_open(struct repo *repo, const char *path, struct arena *a,
		    int *dir, const char **name, struct err *e);

/* Read the file at PATH, as named for operations_open(). Return 1, 0 or -1. */
int operations_read_file(struct repo *repo, const char *path, struct buf *out,
			 struct err *e);

#endif
