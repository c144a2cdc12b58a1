/* lines-json.h: read and write operations as lines, one JSON object per change; see
 * oplog.h.
 */
#ifndef CO_OPLOG_LINES_JSON_H
#define CO_OPLOG_LINES_JSON_H

#include "base/arena.h"
#include "base/buf.h"

/* The change of one file. A sum is SHA-256 in hex; NULL: there is no file. The path
 * of a draft is "knowledge/drafts/NAME", also if it is in the git directory. */
struct oplog_change {
	const char *path; /* below the root: "knowledge/memories/001-x.md" */
	const char *before, *after;
	const char *trash; /* its path in the trash, below the root, or NULL */
	const char *from;  /* its path before it was moved to PATH, or NULL */
};

struct oplog_op {
	int64_t number;
	const char *at;	      /* UTC, as in JSON */
	const char *command;  /* "co-learn" */
	const char *by;	      /* the source of the memory, else the user */
	const char *worktree; /* the linked work tree it was made in, or NULL */
	const char *other; /* the root of the store that has the other half of
			       * a move, absolute, or NULL */
	int64_t other_number; /* the operation there, 0 if it is not known */
	const char *awaits; /* only in a journal's note: see store/journal.h */
	int64_t undoes;	    /* the operation that it undid, or 0 */
	bool undone;	    /* another undid it; set by oplog_read() */
	struct oplog_change *changes; /* one per file, the earliest first */
	size_t n;
	size_t found; /* the change found last; the next is sought from there */
	const char *segment; /* of the log, see oplog.h */
};

/* Return the *N operations of TEXT, the oldest first, allocated in A. Several
 * changes of one file are combined. Damaged lines, and changes that changed nothing,
 * are skipped. SEGMENT is the one that TEXT is from; it is borrowed. */
struct oplog_op *lines_parse(const struct buf *text, const char *segment,
			     struct arena *a, size_t *n);

/* Set C from the line of LEN bytes at P, allocated in A. Return false if the line is
 * damaged. */
bool lines_change(const char *p, size_t len, struct arena *a,
		  struct oplog_change *c);

/* Append the changes of OP to OUT, one line each. */
void lines_add(struct buf *out, const struct oplog_op *op);

/* Append the line that cancels the last change of PATH in the operation NUMBER. */
void lines_add_failure(struct buf *out, int64_t number, const char *path);

/* Return the number of the operation of the line of LEN bytes at P; 0 if the line is
 * not complete. */
#define LINES_NUMBER_MAX 999999999999
int64_t lines_number(const char *p, size_t len);

/* Return true if PATH, below the root, can be in a log: it is settings.json or in
 * knowledge/, and no part of it is empty or begins with a dot. */
bool lines_is_path(const char *path);

#endif
