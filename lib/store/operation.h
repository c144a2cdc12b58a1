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

/* A file that is to be put back: it has the bytes of WAS, and gets those of TEXT;
 * NULL: there is none.  What lies at FROM, in the trash, unless that is NULL, goes
 * from there if it is the same.  Paths are below the root. */
struct operation_step {
	const char *path, *from;
	const struct buf *was, *text;
	bool to_trash; /* a copy of WAS, though there is TEXT */
};

/* Take all N STEPS, or none: they are one operation, which undoes UNDOES, with what
 * operation_by() and operation_other() said since the last one.  What is
 * to go goes to the trash.  Killed on the way, it is finished by the next
 * writer.  The lock is ours.  -1: ERR_BUSY where a file is another by now;
 * ERR_SYSTEM. */
int operation_apply(struct store *s, int64_t undoes,
		    const struct operation_step *steps, size_t n,
		    struct err *e);

/* Finish what one who was killed had begun.  Before that, move a log that an older co
 * kept in the work tree to where it is now, if it is ours, and report one that git
 * tracks (see oplog/adopt.h).  The lock is ours. */
void operation_resume(struct store *s);

#endif
