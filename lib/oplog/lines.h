/* lines.h: operations as lines, one JSON object per change; see oplog.h. */
#ifndef CO_OPLOG_LINES_H
#define CO_OPLOG_LINES_H

#include "base/arena.h"
#include "base/buf.h"

/* Return true if A and B, each NULL for no file, are the same sum. */
bool lines_same_sum(const char *a, const char *b);

/* Return the *N operations of TEXT, the oldest first, allocated in A.  Damaged lines and
 * changes that changed nothing are skipped.  SEGMENT is the one that TEXT is from. */
struct oplog_op *lines_parse(const struct buf *text, const char *segment,
			     struct arena *a, size_t *n);

/* Parse one line, the LEN bytes at P, into C, allocated in A.  Returns false if it is no
 * such line. */
bool lines_change(const char *p, size_t len, struct arena *a,
		  struct oplog_change *c);

/* Append the changes of OP to OUT, a line each. */
void lines_add(struct buf *out, const struct oplog_op *op);

/* Append the line that takes back the last of PATH in the operation NUMBER. */
void lines_add_failure(struct buf *out, int64_t number, const char *path);
int64_t lines_number(const char *p, size_t len);

/* Return true if PATH, below the root, can be in a log: it is settings.json or in
 * knowledge/, and no part of it is empty or begins with a dot. */
bool lines_is_path(const char *path);

#endif
