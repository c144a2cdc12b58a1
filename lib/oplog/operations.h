/* operations.h: what was done to a store, one operation after another.
 *
 * An operation is what one command did: it has a number, which grows, and the
 * files that it changed.  It tells what the programs of ours did in this work
 * tree; what people do with an editor, or git with a merge, is not in it.  Such
 * a change is seen by the sums: a file is as an operation left it, or is not.
 *
 * The log lies where no clone can write (see oplog.h).  Nothing in it is needed to
 * read a store; where it is lost or damaged, what it told cannot be undone, and all else is as before.
 *
 * As git's reflog it is lines that are only appended, and the oldest go; as in
 * jj's operation log an undo is an operation itself, which can be undone.
 */
#ifndef CO_OPLOG_OPERATIONS_H
#define CO_OPLOG_OPERATIONS_H

#include "oplog/lines.h"
#include "repo/layout.h"

struct operations {
	struct oplog_op *ops; /* the newest first */
	size_t n;
};

/* Read the newest operations of REPO, WANT of them at least where there are so
 * many, all for SIZE_MAX: not more of the log is read than that needs.  A line
 * that is damaged is passed over.  H lives in A.  0 or -1. */
int operations_read(struct repo *repo, size_t want, struct arena *a,
		    struct operations *h, struct err *e);

/* The operation NUMBER of H, or NULL. */
struct oplog_op *operations_find(const struct operations *h, int64_t number);

/* Replace OUT's contents by the bytes whose sum is SUM, from wherever one of H had
 * them last: the log, the trash, or the file itself.  1, 0 where nobody has them
 * any more, -1. */
int operations_bytes(struct repo *repo, const struct operations *h,
		     const char *sum, struct buf *out, struct err *e);

/* Open the folder of PATH, which is below the root as above, following no link
 * but those of the user's own store; *NAME, in A, is the file's in it.  1 (*DIR is
 * yours), 0 where there is no such folder, -1: ERR_DATA too for what is none of
 * the store's files. */
int operations_open(struct repo *repo, const char *path, struct arena *a,
		    int *dir, const char **name, struct err *e);

#endif
