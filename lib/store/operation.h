/* operation.h: noting what is done to a store, and doing it backwards.
 *
 * All that one command changes under the lock is one operation (see
 * oplog/operations.h), unless somebody else writes in between, or
 * operation_end() says so.  Whoever changes a file notes it first:
 *
 *	operation_note(s, path, was, text);
 *	if (file_replace_from(...) < 0)
 *		operation_failed(s, path);
 *
 * Noting never fails, and never stops a change: what cannot be noted cannot be
 * undone, the report says so once, and the change is made as if there were no
 * log.  The same goes for the disk being full and the trash being read-only.
 */
#ifndef CO_STORE_OPERATION_H
#define CO_STORE_OPERATION_H

#include "base/instant.h"
#include "oplog/operations.h"
#include "store/handle.h"

/* The file at PATH, absolute and of S, is about to become TEXT, and was WAS; NULL
 * where there is no such file.  What would be lost is kept, on the disk.  The lock
 * is ours. */
void operation_note(struct store *s, const char *path, const struct buf *was,
		    const struct buf *text);

/* The same of an article, of which a copy stands at TRASH, an absolute path, by
 * now: that is what is kept. */
void operation_note_replaced(struct store *s, const char *path,
			     const struct buf *was, const struct buf *text,
			     const char *trash);

/* The file NAME of DIR, at PATH, is about to go to TRASH, an absolute path. */
void operation_note_removal(struct store *s, int dir, const char *name,
			    const char *path, const char *trash);

/* The file NAME of DIR, at FROM, is about to be moved to PATH, with the bytes that
 * it has; from the trash, or it is a draft or was one. */
void operation_note_move(struct store *s, int dir, const char *name,
			 const char *from, const char *path);

/* What was noted last of PATH was not done. */
void operation_failed(struct store *s, const char *path);

/* 0 if the file at PATH, absolute and of S, is the one that store_expect() wants,
 * or it wants none; the lock is ours.  -1: ERR_BUSY, it is another, or gone. */
int operation_expected(struct store *s, const char *path, struct err *e);

/* Who does it: the source that is given, until the operation ends.  Borrowed. */
void operation_by(struct store *s, const char *source);

/* What follows is half of a move, whose other half changes the store with the root
 * OTHER, an absolute path that is borrowed until the operation ends.  NUMBER is its
 * operation there, 0 where that is not known. */
void operation_other(struct store *s, const char *other, int64_t number);

/* The number of the operation that S is in, 0 for none. */
int64_t operation_number(const struct store *s);

/* What S does from now on is in no log: a store is made, and nothing was
 * before. */
void operation_skip(struct store *s);

/* What follows is another operation. */
void operation_end(struct store *s);

/* Begin an operation, or continue the one that S is in.  Returns false, after a report,
 * if there is no log. */
bool operation_begin(struct store *s);

/* Set OP, without changes, to the operation that S is in.  WHEN gets the time. */
void operation_describe(struct store *s, struct oplog_op *op,
			char when[INSTANT_TEXT]);

/* Return PATH, which is absolute and of S, relative to the root, allocated in A; NULL
 * if it is not a text of the store: its ledger, for example, can be computed again. */
const char *operation_path(struct store *s, const char *path, struct arena *a);

/* Move a log that an older co kept in the work tree to where it is now, if it is ours,
 * and report one that git tracks (see oplog/adopt.h).  The caller holds the lock. */
void operation_adopt(struct store *s);

#endif
