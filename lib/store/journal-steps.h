/* journal-steps.h: perform the steps of a journal, and undo them. Everything except
 * struct journal_step is only for journal.c.
 */
#ifndef CO_STORE_JOURNAL_STEPS_H
#define CO_STORE_JOURNAL_STEPS_H

#include "base/buf.h"
#include "base/strings.h"
#include "base/table.h"
#include "oplog/oplog.h"
#include "store/handle.h"

/* The beginning of paths in the trash, as struct journal_step has them. */
#define JOURNAL_TRASH LAYOUT_KNOWLEDGE LAYOUT_TRASH "/"

/* A change of one file. Paths are below the root, as in the operation log. */
struct journal_step {
	const char *path;
	const char *from;      /* the file moves from there to PATH; or NULL */
	const struct buf *was; /* its content; NULL: there is no file at PATH */
	const struct buf *text; /* its new content; NULL: the file is removed */
	const char *trash; /* set by journal_begin(): path of WAS in the trash,
			    * or NULL */
	bool accepted;	   /* it goes to LAYOUT_ACCEPTED of the removal */
	bool to_trash; /* put WAS into the trash. A memory, draft or article that
			* is removed, not moved, always goes there */
};

/* The result of a step. */
struct journal_outcome {
	bool skipped; /* not performed: see skip_step() */
	bool copied;  /* the file was moved by copying it */
};

/* A journal between its begin and end. */
struct journal_run {
	struct store *s;
	struct arena *a;
	const struct journal_step *steps; /* one per change, unless RESUMED */
	bool resumed; /* another process, which was killed, wrote the note */
	struct oplog_op op;		  /* one change per step */
	struct table by_path, by_from;	  /* its changes, by these */
	struct journal_outcome *outcomes; /* one per change */
	struct operations log;		  /* all operations, if RESUMED */
	bool back;			  /* the steps are undone */
	bool logged;			  /* there is a log */
	bool noted;			  /* the steps need a note */
	bool written;			  /* the note is written */
	struct strings
		kept; /* sums of the bytes that the run put into the log */
	struct journal_directory *directories;
	size_t n, cap;
};

/* Perform all steps of RUN: first those that create or change files, then those that
 * remove files. Steps that were performed already are passed over. Return 0 or -1. */
int journal_take_steps(struct journal_run *run, struct err *e);

/* Undo the steps of RUN after one failed. Return 0 or -1. */
int journal_take_back(const struct journal_run *run);

/* Return true if PATH, which may be NULL, begins with WITH. */
static inline bool journal_begins(const char *path, const char *with)
{
	return path && !strncmp(path, with, strlen(with));
}

/* Return the outcome of the step C of RUN. */
static inline struct journal_outcome *
journal_outcome_of(const struct journal_run *run, const struct oplog_change *c)
{
	return &run->outcomes[c - run->op.changes];
}

/* Return the SHA-256 of TEXT, allocated in A; NULL for no TEXT. */
const char *journal_sum(struct arena *a, const struct buf *text);

/* Fill the tables of RUN, whose operation is set, for the two functions below. The caller
 * releases them. */
void journal_fill_tables(struct journal_run *run);
void journal_release_tables(struct journal_run *run);

/* Return the change of RUN that has PATH, or NULL. */
const struct oplog_change *journal_change_of(const struct journal_run *run,
					     const char *path);

/* Return the change of the file to which the one at PATH moves, or NULL. */
const struct oplog_change *journal_target_of(const struct journal_run *run,
					     const char *path);

/* Return the directory of PATH, relative to knowledge/ and allocated in A, and set
 * *NAME to the file name. */
const char *journal_directory_of(const char *path, struct arena *a,
				 const char **name);

/* Return the absolute path of PATH, which is below the root, allocated in the arena of
 * RUN. */
const char *journal_absolute(const struct journal_run *run, const char *path);

/* Open FOLDER, a directory below knowledge/, as *DIR, which the caller closes.
 * Create it if it is absent. Return 0 or -1. */
int journal_make_directory(struct journal_run *run, const char *folder,
			   int *dir, struct err *e);

/* Create the file NAME of DIR with TEXT. PATH is for messages. Return 1; 2 if it exists
 * with that content; 0 if it exists with another one; or -1. */
int journal_create_file(struct journal_run *run, int dir, const char *name,
			const char *path, const struct buf *text,
			struct err *e);

#endif
