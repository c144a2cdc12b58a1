/* resolve.h: resolve merge conflicts in a store.
 *
 * For a file that is not merged, git's index has up to three versions: base,
 * ours and theirs. Each such file below the root is resolved by its meaning and
 * then added to the index:
 *
 *   both changed it         merged as by co-memory-merge
 *   one deleted it, the
 *   other changed it        the change is kept
 *   one replaced it, the
 *   other changed it        the change is applied in the archive
 *   two different memories  each gets a file of its own
 *   one renumbered it       one memory, with the new id
 *   both added it           one memory, with the tags of both
 *
 * Text in the file that is from neither side, git nor co was written by a
 * person and is kept. Conflict markers left in such a file are resolved if
 * possible; otherwise the file is left to the person. All writes are one
 * operation, which `co undo` reverses; resolve_reopen() does that for git's index.
 *
 * Versions are read from the merged commits if these have the file: if both
 * sides replaced one memory, git's index has the same mixture for both.
 */
#ifndef CO_REPAIR_RESOLVE_H
#define CO_REPAIR_RESOLVE_H

#include "oplog/oplog.h"
#include "store/store.h"

enum resolve_side { RESOLVE_MERGE, RESOLVE_OURS, RESOLVE_THEIRS };

struct resolve {
	struct store *store;
	bool dry;		/* change nothing */
	enum resolve_side side; /* the version to use if both sides changed
				 * something */
	/* Return whether the file PATH, relative to the root, is to be
	 * resolved. NULL: all. */
	bool (*wanted)(void *ctx, const char *path);
	/* Called with what was or would be done. LEFT: a person must resolve
	 * it. */
	void (*say)(void *ctx, const char *path, bool left, const char *what);
	void *ctx;
	const struct report *report; /* receives conflicts between the sides */
	bool choice; /* set: `side` resolves a file that was left to a person */
};

/* Resolve the conflicts, under the store's lock unless R is dry. Return the
 * number of files left to a person, or -1: ERR_NO, no merge is in progress;
 * ERR_HELPER, git failed; ERR_BUSY. */
int resolve_merge(struct resolve *r, struct err *e);

/* Restore git's conflicts in the files of OP, an operation of resolve_merge()
 * that was undone. Return the number of files, 0 if the merge is already
 * committed or git no longer has the versions, or -1: ERR_HELPER. */
int resolve_reopen(struct store *s, const struct oplog_op *op, struct err *e);

#endif
