/* undo.h: undo operations, even if files have changed since.
 *
 * For each file of an operation: if it is still as the operation left it, its
 * old content is restored.  If it has changed since, the operation's change is
 * removed by a merge (see merge/merge.h): base is what the operation left, ours
 * the current file, theirs the old content.  If any file conflicts, nothing is
 * undone.
 */
#ifndef CO_HISTORY_UNDO_H
#define CO_HISTORY_UNDO_H

#include "oplog/operations.h"
#include "store/store.h"

/* Called with each file, by its path below the root, and with what is done or,
 * with DRY, would be done. */
typedef void undo_fn(void *ctx, const char *path, const char *what);

struct undo {
	struct store *store; /* its report gets each conflict */
	bool dry;	     /* change nothing */
	undo_fn *fn;
	void *ctx;

	struct arena arena; /* release with arena_release() */
	size_t passed;	    /* operations that undo_newest() skipped */
	int64_t last;	    /* number of the last skipped operation */
};

/* Undo the operation NUMBER.  Sets *OP, allocated in U's arena.  Returns 1, 0
 * if all files already are as before it, or -1: ERR_NO if there is no such
 * operation or it is undone already; ERR_BUSY if later changes conflict. */
int undo_number(struct undo *u, int64_t number, const struct oplog_op **op,
		struct err *e);

/* Undo the newest operation that is not an undo and not undone; with REDO, the
 * newest undo.  Operations that leave nothing to undo are skipped.  Returns as
 * undo_number(), 0 if there is none. */
int undo_newest(struct undo *u, bool redo, const struct oplog_op **op,
		struct err *e);

/* If OP is half of a move, append the command that undoes the other half (or
 * lists it, if its number is unknown) and return true. */
bool undo_other_half(const struct oplog_op *op, struct buf *out);

/* Append the newest MOST operations of S to OUT, as lines or as JSON. */
int undo_list(struct store *s, size_t most, bool json, struct buf *out,
	      struct err *e);

#endif
