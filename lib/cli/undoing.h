/* undoing.h: undo or redo an operation of a store, and say what was done. */
#ifndef CO_CLI_UNDOING_H
#define CO_CLI_UNDOING_H

#include "history/undo.h"

/* The caller sets the first three members; release with undoing_release(). */
struct undoing {
	struct store *store;
	bool dry, redo;

	struct undo undo;
	const struct oplog_op *op; /* once undone, the operation */
	bool elsewhere; /* if nothing was: the last one is in the user store */
};

/* Undo the operation NUMBER of the store; 0: the newest, as undo_newest(), but
 * refuse if one in the user store came after all of a project. Undo or redo a move in
 * both stores, if possible. Print what was done, or complain. Return as
 * undo_number(). */
int undoing_run(struct undoing *u, int64_t number, struct err *e);

void undoing_release(struct undoing *u);

#endif
