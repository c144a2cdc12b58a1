/* journal.h: change several files of a store, all of them or none.
 *
 * A caller adds steps, and journal_apply() performs them as one operation (see
 * oplog/operations.h).  More than one step is first written to OPLOG_FOLDER/
 * unfinished and synced: no clone can write there.  If the process is killed, the next
 * holder of the store's lock finishes the steps.  If a step fails, those before it are
 * taken back.
 *
 * A file that is removed has a step of its own, also if it moved. So each step changes
 * one file, and the sums of its content before and after tell whether it was taken.
 *
 * Where there is no log, as in an agent's sandbox, the steps are performed all the
 * same, but a kill leaves them unfinished.  Files come before files go, so that a
 * reader may meet both, and never neither.
 */
#ifndef CO_STORE_JOURNAL_H
#define CO_STORE_JOURNAL_H

#include "base/buf.h"
#include "cache/write-hints.h"
#include "store/journal-steps.h"

struct journal {
	struct store *s;
	struct arena *a; /* holds the steps and their contents */
	int64_t undoes;	 /* the operation that is undone, or 0 */
	const char *
		trash; /* the removal's directory, below knowledge/, once made */
	struct write_hints_slip before; /* of trash/, before that */
	struct journal_step *steps;
	size_t n, cap;
	struct journal_run *run; /* between begin and end */
};

/* Return the LEN bytes of P, copied to A. */
const struct buf *journal_text(struct arena *a, const char *p, size_t len);

/* Read the file at PATH, which is absolute and of J's store, into *TEXT, allocated in
 * J's arena.  Returns 0, or -1: ERR_NO if it is gone. */
int journal_read(struct journal *j, const char *path, const struct buf **text,
		 struct err *e);

/* Add a step.  All that STEP refers to must live until the journal has ended. */
void journal_add(struct journal *j, struct journal_step step);

/* Return the step of J that changes the file at PATH, below the root, and does not let
 * it go; NULL if there is none.  Valid until a step is added. */
struct journal_step *journal_find(const struct journal *j, const char *path);

/* Add the two steps that move the file at FROM, with the content WAS, to PATH, where
 * its content is TEXT. */
void journal_move(struct journal *j, const char *from, const char *path,
		  const struct buf *was, const struct buf *text);

/* Return NAME if neither the directory FOLDER, below knowledge/, nor a step of J has
 * that file; else NAME with "-2" or the next free number before ".md".  Allocated in
 * J's arena.  NULL with E filled: FOLDER cannot be read. */
const char *journal_free_name(struct journal *j, const char *folder,
			      const char *name, struct err *e);

/* Perform all steps, or none.  The caller holds the lock.  Returns 0, or -1: ERR_BUSY
 * if a file is no longer what its step says; ERR_SYSTEM. */
int journal_apply(struct journal *j, struct err *e);

/* Perform the steps of J in two parts: journal_begin() only writes them down, and if
 * the process is killed, they are performed if the file AWAITS exists then.  It lies
 * in another store, and its path is absolute.  journal_end() performs the steps if GO,
 * else it drops them.  It must follow a journal_begin() that returned 0. */
int journal_begin(struct journal *j, const char *awaits, struct err *e);
int journal_end(struct journal *j, bool go, struct err *e);

/* Return true if a writer was killed in a journal, and nobody has finished it yet. */
bool journal_is_pending(struct store *s);

/* Finish what a killed writer began.  The caller holds the lock. */
void journal_resume(struct store *s);

#endif
