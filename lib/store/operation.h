/* operation.h: note in the operation log what is done to a store.
 *
 * All that one command changes under the lock is one operation (see
 * oplog/operations.h), unless another process writes in between, or the caller ends it
 * by operation_end().  A function that changes one file notes that first; journal.h
 * does so for several:
 *
 *	operation_note(s, path, was, text, NULL);
 *	if (file_replace_from(...) < 0)
 *		operation_failed(s, path);
 *
 * Noting never fails, and never stops a change.  A change that cannot be noted, as
 * where the disk is full or the log is read-only, is made and cannot be undone; the
 * report says so once.
 */
#ifndef CO_STORE_OPERATION_H
#define CO_STORE_OPERATION_H

#include "base/instant.h"
#include "oplog/operations.h"
#include "store/handle.h"

/* Note that the file at PATH, absolute and of S, is about to change from WAS to TEXT;
 * NULL: there is no such file.  WAS is kept durably, unless it was copied to TRASH, an
 * absolute path in the trash, or NULL.  The caller holds the lock. */
void operation_note(struct store *s, const char *path, const struct buf *was,
		    const struct buf *text, const char *trash);

/* Take back the last note of PATH: that change was not made. */
void operation_failed(struct store *s, const char *path);

/* The change of the file NAME in the directory DIR; PATH, WAS, TEXT and TRASH are as for
 * operation_note(), LOST is as for file_replace_from(). */
struct operation_change {
	int dir;
	const char *name, *path;
	const struct buf *was, *text;
	const char *trash;
	struct buf *lost;
};

/* Note the change C and make it: create, replace or remove the file. Return 0; 1 if a
 * concurrent change may be lost, see file_replace_from(); or -1: ERR_BUSY if the file is
 * not as C says. */
int operation_change(struct store *s, const struct operation_change *c,
		     struct err *e);

/* Return 0 if the file at PATH, absolute and of S, is the one that store_expect() wants,
 * or if it wants none; else -1: ERR_BUSY.  The caller holds the lock. */
int operation_expected(struct store *s, const char *path, struct err *e);

/* Log SOURCE as the user, until the operation ends.  It is borrowed; NULL: the user
 * that the system names. */
void operation_by(struct store *s, const char *source);

/* Log that the operation is half of a move, whose other half changes the store with the
 * root OTHER, an absolute path that is borrowed until the operation ends.  NUMBER is the
 * operation there, or 0 if that is not known. */
void operation_other(struct store *s, const char *other, int64_t number);

/* Return the number of the operation that S is in, or 0. */
int64_t operation_number(const struct store *s);

/* Log nothing of S from now on, as while a store is made. */
void operation_skip(struct store *s);

/* End the operation: what follows is another. */
void operation_end(struct store *s);

/* Begin an operation, or continue the one that S is in.  Returns false, after a report,
 * if there is no log. */
bool operation_begin(struct store *s);

/* Report once that what S changes from now on cannot be undone, because of E, and log
 * nothing more.  That is no failure of the change, so the report gets it without a
 * code. */
void operation_give_up(struct store *s, const struct err *e);

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
