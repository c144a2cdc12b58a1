/* journal.h: change several files of a store, all of them or none.
 *
 * A caller adds steps, and journal_apply() performs them as one operation (see
 * oplog/operations.h).  More than one step is first written to OPLOG_FOLDER/
 * unfinished and synced: no clone can write there.  If the process is killed, the next
 * holder of the store's lock finishes the steps.  If a step fails, those before it are
 * taken back.
 *
 * A file that is gone has a step of its own, also if it moved: so each step changes one
 * file, and the sums of its content before and after tell whether it was taken.
 *
 * Where there is no log, as in an agent's sandbox, the steps are performed all the
 * same, but a kill leaves them unfinished.  Files come before files go, so that a
 * reader may meet both, and never neither.
 */
#ifndef CO_STORE_JOURNAL_H
#define CO_STORE_JOURNAL_H

#include "base/buf.h"
#include "store/handle.h"

/* A change of one file.  Paths are below the root, as in the operation log. */
struct journal_step {
	const char *path;
	const char *from;      /* the file moves from there to PATH; or NULL */
	const struct buf *was; /* its content; NULL: there is no file at PATH */
	const struct buf *text; /* its new content; NULL: it goes */
	bool to_trash; /* WAS goes to the trash.  That of a memory, draft or article
			* that goes without moving always does */
};

struct journal_run;

struct journal {
	struct store *s;
	struct arena *a; /* holds the steps and their contents */
	int64_t undoes;	 /* the operation that is undone, or 0 */
	const char *
		trash; /* the removal's directory, below knowledge/, once made */
	struct journal_step *steps;
	size_t n, cap;
	struct journal_run *run; /* between begin and end; see journal.c */
};

/* Add a step.  All that STEP refers to must live until the journal has ended. */
void journal_add(struct journal *j, struct journal_step step);

/* Perform all steps, or none.  The caller holds the lock.  Returns 0, or -1: ERR_BUSY
 * if a file is no longer what its step says; ERR_SYSTEM. */
int journal_apply(struct journal *j, struct err *e);

/* Finish what a killed writer began.  The caller holds the lock. */
void journal_resume(struct store *s);

#endif
