/* lines-json.h: read and write operations as lines, one JSON object per change; see oplog.h.
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
	bool undone;	    /* another undid it; set by operations_read() */
	struct oplog_change *changes; /* one per file, the earliest first */
	size_t n;
	const char *segment; /* of the log, see oplog.h */
};

/* Return the number of the operation of the line of LEN bytes at P; 0 if the line is
 * not complete. */
#define LINES_NUMBER_MAX 999999999999

#endif
