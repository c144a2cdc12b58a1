/* operation.h: note the changes of a store in the operation log.
 *
 * All changes that a command makes under the lock are one operation (see
 * oplog/oplog.h), unless another process writes in between, or the caller ends it
 * with operation_end(). operation_change() notes the change of one file before it makes
 * it; journal.h does so for several files.
 *
 * Noting never fails, and never stops a change. A change that cannot be noted, because
 * the disk is full or the log is read-only, is made and cannot be undone; that is
 * reported once.
 */
#ifndef CO_STORE_OPERATION_H
#define CO_STORE_OPERATION_H

#include "base/instant.h"
#include "oplog/oplog.h"
#include "store/handle.h"

/* Note that the file at PATH, an absolute path in S, is about to change from WAS to
 * TEXT; NULL: no file. If TRASH is NULL, WAS is kept durably in the log. Otherwise
 * it was copied to TRASH, an absolute path in the trash. The caller holds the lock. */
void operation_note(struct store *s, const char *path, const struct buf *was,
		    const struct buf *text, const char *trash);

/* Undo the last note of PATH, since the change was not made. errno is kept. */
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

/* Return 0 if the file at PATH, an absolute path in S, has the sum that
 * store_expect() set, or if none is set; else -1, with ERR_BUSY if the file has
 * another sum or is gone. The caller holds the lock. */
int operation_expected(struct store *s, const char *path, struct err *e);

/* Log SOURCE as the author, until the operation ends. It is borrowed; NULL: $USER. */
void operation_by(struct store *s, const char *source);

/* Log that the operation is half of a move, and that the other half changes the
 * store with the root OTHER, an absolute path that is borrowed until the operation
 * ends. NUMBER is the number of the operation there, or 0 if it is not known yet. */
void operation_other(struct store *s, const char *other, int64_t number);

/* Return the number of the operation that S is in, or 0. */
int64_t operation_number(const struct store *s);

/* Log nothing of S from now on, as while a store is created. */
void operation_skip(struct store *s);

/* End the operation; the next change begins another. */
void operation_end(struct store *s);

/* Begin an operation, or continue the one that S is in. Return false if
 * there is no log. */
bool operation_begin(struct store *s);

/* Log nothing more, because of E. */
void operation_give_up(struct store *s, const struct err *e);

/* After operation_give_up(), if a change was made since, report once that it cannot be
 * undone. The change did not fail, so the report has no error code. Releasing the lock
 * calls this. */
void operation_report(struct store *s);

/* Set OP to the operation that S is in, without its changes. It borrows from S and
 * WHEN, which gets the time. */
void operation_describe(struct store *s, struct oplog_op *op,
			char when[INSTANT_TEXT]);

/* Return the absolute PATH relative to the root of S, borrowed or allocated in A.
 * Return NULL if it is not a file whose changes are logged: only Markdown files and
 * settings.json are. */
const char *operation_path(struct store *s, const char *path, struct arena *a);

/* Move the log of a store that was at another path to its present directory (see
 * oplog/oplog.h). The caller holds the lock. */
void operation_adopt(struct store *s);

#endif
