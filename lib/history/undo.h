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

#endif
