/* journal.h: change several files of a store, all of them or none.
 *
 * A caller adds steps, and journal_apply() performs them as one operation (see
 * oplog/oplog.h). If there are several, they are first written to the note
 * OPLOG_FOLDER/unfinished, which no clone can bring, and synced. If the process is
 * killed, the next holder of the store's lock finishes the steps. If a step fails, the
 * steps before it are undone.
 *
 * Each step changes one file, so a move has two: one creates the file at its new path,
 * the other removes it from the old one. The sums of the content before and after show
 * whether a step was performed.
 *
 * If there is no log, as in an agent's sandbox, the steps are performed without a note;
 * a kill then leaves them unfinished. Files are created before others are removed, so a
 * reader may see both, but never neither.
 */
#ifndef CO_STORE_JOURNAL_H
#define CO_STORE_JOURNAL_H

#include "base/buf.h"
#include "cache/write-hints.h"
#include "store/journal-steps.h"
#include "store/operation.h"

struct journal {
	struct store *s;
	struct arena *a; /* holds the steps and their contents */
	int64_t undoes;	 /* the operation that is undone, or 0 */
	const char *
		trash; /* directory of the removal, below knowledge/; or NULL */
	struct write_hints_slip before; /* of trash/, before it was created */
	struct journal_step *steps;
	size_t n, cap;
	struct journal_run *run; /* between begin and end */
};

/* Return the LEN bytes of P, copied to A. */
const struct buf *journal_text(struct arena *a, const char *p, size_t len);

/* Read the file at PATH, an absolute path in J's store, into *TEXT, allocated in J's
 * arena. Return 0, or -1; ERR_NO if it is gone. */
int journal_read(struct journal *j, const char *path, const struct buf **text,
		 struct err *e);

/* Add a step. All that STEP refers to must live until the journal has ended. */
void journal_add(struct journal *j, struct journal_step step);

/* Add the step that changes the file at PATH, below the root, from WAS to TEXT, or
 * creates it if WAS is NULL. Add none if TEXT is WAS. */
void journal_edit(struct journal *j, const char *path, const struct buf *was,
		  const struct buf *text);

/* Return the step of J that creates or changes the file at PATH, below the root;
 * NULL if there is none. Valid until a step is added. */
struct journal_step *journal_find(const struct journal *j, const char *path);

/* Add the two steps that move the file at FROM, with the content WAS, to PATH, where
 * its content is TEXT. */
void journal_move(struct journal *j, const char *from, const char *path,
		  const struct buf *was, const struct buf *text);

/* Return NAME if neither the directory FOLDER, below knowledge/, nor a step of J has
 * that file; else NAME with "-2" or the next free number before ".md". The result is
 * NAME or allocated in J's arena. Return NULL with E filled if FOLDER cannot be
 * read, or all numbers up to 999 are taken. */
const char *journal_free_name(struct journal *j, const char *folder,
			      const char *name, struct err *e);

/* Perform all steps, or none. The caller holds the lock. Return 0, or -1: ERR_BUSY if a
 * file no longer has the content that its step expects; ERR_SYSTEM. */
int journal_apply(struct journal *j, struct err *e);

/* Perform the steps of J in two parts. journal_begin() only writes the note, and
 * journal_end() performs the steps if GO, else it drops them. If the process is
 * killed in between, the next writer performs the steps if the file AWAITS exists
 * then, or a file that they create, else it drops them. AWAITS is an absolute path in
 * another store, or NULL.
 * journal_end() must follow a journal_begin() that returned 0. Both return 0 or -1. */
int journal_begin(struct journal *j, const char *awaits, struct err *e);
int journal_end(struct journal *j, bool go, struct err *e);

/* Return the path of the note in S, allocated in A. */
const char *journal_note_path(struct store *s, struct arena *a);

/* Return true if S has the unfinished journal of a killed writer. */
bool journal_is_pending(struct store *s);

/* Finish the journal of a killed writer, if there is one. The caller holds the lock.
 * Failures are reported, and the next writer tries again. */
void journal_resume(struct store *s);

#endif
