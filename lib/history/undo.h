/* undo.h: taking operations back, whatever was done since.
 *
 * Of each file of an operation: it is as the operation left it: what was before
 * is put back.  It changed since: what the operation did is taken out of it by a
 * merge (see merge/merge.h), whose base is what the operation left, ours what is
 * there now, and theirs what was before.  Where that conflicts, nothing of the
 * operation is taken back.
 */
#ifndef CO_HISTORY_UNDO_H
#define CO_HISTORY_UNDO_H

#include "oplog/operations.h"
#include "store/store.h"

/* Gets what is done to each file, called by its path below the root, or with DRY
 * would be. */
typedef void undo_fn(void *ctx, const char *path, const char *what);

struct undo {
	struct store *store; /* whose report gets each conflict */
	bool dry;	     /* change nothing */
	undo_fn *fn;
	void *ctx;

	struct arena arena; /* release with arena_release() */
	size_t passed;	    /* operations that undo_newest() passed over */
	int64_t last;	    /* the last of these */
};

/* Take back the operation NUMBER, *OP, which lives in U's arena.  1; 0: all its
 * files are as before it; -1: ERR_NO, there is no such operation, or it is undone
 * already; ERR_BUSY, what was done since is in its way. */
int undo_number(struct undo *u, int64_t number, const struct oplog_op **op,
		struct err *e);

/* Take back the newest operation that is no undo itself and not undone, or with
 * REDO the newest undo; those of which nothing is left are passed over.  As
 * undo_number(), 0 where there is none. */
int undo_newest(struct undo *u, bool redo, const struct oplog_op **op,
		struct err *e);

/* If OP is half of a move, append to OUT the command that takes back the other half,
 * or that lists it where its number is not known: true. */
bool undo_other_half(const struct oplog_op *op, struct buf *out);

/* Append the newest MOST operations of S to OUT, as lines or as JSON. */
int undo_list(struct store *s, size_t most, bool json, struct buf *out,
	      struct err *e);

#endif
