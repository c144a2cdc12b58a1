/* lines.h: operations as lines, an object of JSON for each change; see oplog.h. */
#ifndef CO_OPLOG_LINES_H
#define CO_OPLOG_LINES_H

#include "base/arena.h"
#include "base/buf.h"

/* A file, before and after.  A sum is SHA-256 in hex; NULL: there was no such
 * file.  A draft is "knowledge/drafts/NAME", wherever it lies. */
struct oplog_change {
	const char *path; /* below the root: "knowledge/memories/001-x.md" */
	const char *before, *after;
	const char *trash; /* the same of where it went, or NULL */
	const char *from;  /* the same of where it came from, or NULL */
};

/* True if A and B, either NULL for no file, are the same sum. */
bool lines_same_sum(const char *a, const char *b);

struct oplog_op {
	int64_t number;
	const char *at;	      /* UTC, as in JSON */
	const char *command;  /* "co-learn" */
	const char *by;	      /* the source that it gave, else the user */
	const char *worktree; /* the linked work tree it was made in, or NULL */
	const char *other; /* the root of the store that has the other half of
			       * a move, absolute, or NULL */
	int64_t other_number; /* the operation there, 0 where it is not known */
	const char *awaits; /* only in a journal's note: see store/journal.h */
	int64_t undoes;	    /* the operation that it undid, or 0 */
	bool undone;	    /* another undid it */
	struct oplog_change *changes; /* of each file one, in their order */
	size_t n;
	const char *segment; /* of the log, see oplog.h */
};

/* The operations of TEXT, the oldest first, in A: *N of them.  What is damaged is
 * passed over, and what changed nothing.  SEGMENT is where they stand. */
struct oplog_op *lines_parse(const struct buf *text, const char *segment,
			     struct arena *a, size_t *n);

/* The path that the one line of LEN bytes at P is of, whatever it tells, in C,
 * with its sums: false where it is none. */
bool lines_change(const char *p, size_t len, struct arena *a,
		  struct oplog_change *c);

/* Append OP's changes to OUT. */
void lines_add(struct buf *out, const struct oplog_op *op);

/* Append the line that takes back the last of PATH in the operation NUMBER. */
void lines_add_failure(struct buf *out, int64_t number, const char *path);

/* The number of the operation that the LEN bytes at P are a whole line of; 0 where
 * they are none. */
#define LINES_NUMBER_MAX 999999999999
int64_t lines_number(const char *p, size_t len);

/* True if PATH, below the root, is one that we would write: no part of it is empty
 * or begins with a dot. */
bool lines_is_path(const char *path);

#endif
