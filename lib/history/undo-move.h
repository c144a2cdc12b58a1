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

enum undo_move_result {
	UNDO_MOVE_DONE,
	UNDO_MOVE_STORE_GONE, /* the other store does not exist */
	UNDO_MOVE_HALF_GONE,  /* the other half is undone, or not in its log */
	UNDO_MOVE_FAILED,     /* neither half is undone */
	UNDO_MOVE_TORN	      /* one half is, and could not be redone: see E */
};

/* Undo OP, half of a move in the store of HERE, and the other half in M. First the
 * memory comes back where it was, then the copy is removed. If the second half fails,
 * the first is redone. E is filled for the last two results. If the other half is gone,
 * nothing is changed. */
enum undo_move_result undo_move(struct undo *here, const struct oplog_op *op,
				struct undo_move *m, struct err *e);

void undo_move_close(struct undo_move *m);

#endif
