/* undo-move.h: undo or redo a move in both stores.
 *
 * A move is an operation in each of two stores. Each names the other store, and
 * at least one names the number of the other operation.
 */
#ifndef CO_HISTORY_UNDO_MOVE_H
#define CO_HISTORY_UNDO_MOVE_H

#include "history/undo.h"

/* The half of a move in another store. The caller sets FN and CTX, which THERE
 * gets, and zeroes the rest; release it with undo_move_close(). */
struct undo_move {
	undo_fn *fn;
	void *ctx;

	struct store store;
	bool open;	   /* STORE is */
	struct undo there; /* of STORE */
};

/* Undo OP, half of a move in the store of HERE, and the other half in M.
 * First the memory comes back where it was, then the copy is removed. If either
 * half conflicts, neither is undone. Returns 1; 0 if the other half cannot be
 * undone: its store or operation is gone, or it is undone already; -1. After 0
 * nothing is changed. After an error of the second half, *HALF is true. */
int undo_move(struct undo *here, const struct oplog_op *op, struct undo_move *m,
	      bool *half, struct err *e);

void undo_move_close(struct undo_move *m);

#endif
