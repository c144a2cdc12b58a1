/* oplog.h: write the log of the operations on a store.
 *
 *	LOG/now/ops     the newest operations, a line a change
 *	LOG/now/SUM     bytes that one of them needs
 *	LOG/NUMBER/     the same of older ones, to that number
 *	LOG/unfinished  the lines of a journal: see store/journal.h
 *	LOG/store       the store that wrote it: see repo/log-folder.h
 *
 * LOG is log_folder_path(), in the git directory of the work tree or the user's state
 * directory.  A clone, a pull and a checkout write to neither, so the log is ours.
 * Temporary files are made in LOG, and removed there.
 *
 * A line is an object of JSON: {"op","at","command","by","path","before","after"},
 * and "worktree", "other", "other_op", "undoes", "trash" and "from" where they apply
 * (see operations.h).  {"op","path","failed":true} takes back the last line of its
 * path.  Only LOG/unfinished has "awaits": the absolute path of a file in another store.
 * Unless that file exists, a killed change is not finished but dropped.
 *
 * Lines are appended under the store's lock before the change that they describe, or
 * after the last step of a journal, and never synced.  A killed process leaves at most
 * one line too many.  A loss of power may lose the last lines, but never their changes.
 * So a save costs a write and no sync.  Bytes that a change would lose are synced before
 * it.
 *
 * OPLOG_SEGMENT operations are one segment.  When the next is begun, segments go,
 * the oldest first, that are older than OPLOG_DAYS, but never the newest whole one:
 * so what is kept is OPLOG_SEGMENT operations or OPLOG_DAYS, whichever is more.
 */
#ifndef CO_OPLOG_OPLOG_H
#define CO_OPLOG_OPLOG_H

#include "base/sha256.h"
#include "base/strings.h"
#include "oplog/lines.h"
#include "repo/layout.h"
#include "oplog/lines-json.h"

#define OPLOG_FOLDER LAYOUT_LOG
#define OPLOG_NOW "now"
#define OPLOG_OPS "ops"
#define OPLOG_NOTE "unfinished"
#define OPLOG_LINES_MAX \
	((size_t)64 * 1024 * 1024) /* of a segment that is read */
#define OPLOG_SEGMENT 1000
#define OPLOG_DAYS 90

struct oplog {
	int top;	  /* the folder of the log; -1 until it is open */
	int dir, ops;	  /* the segment and its lines; -1 as well */
	int64_t size;	  /* of the lines, when we were done with them */
	int64_t number;	  /* of our operation; 0: the next is yet to be begun */
	const char *path; /* of the folder; borrowed from the root */
};

/* The initial value of an oplog. */
#define OPLOG_NONE ((struct oplog){-1, -1, -1, 0, 0, NULL})

/* Begin an operation, or continue that of L, if no other process wrote meanwhile.  The
 * caller holds the store's lock.  Returns 0 or -1. */
int oplog_begin(struct oplog *l, struct repo *repo, struct err *e);

/* Close what L holds. */
void oplog_close(struct oplog *l);

/* Append OP's changes as lines; L has begun it. */
int oplog_add(struct oplog *l, const struct oplog_op *op, struct err *e);

/* Take back the last line of PATH in the operation of L. */
int oplog_fail(struct oplog *l, const char *path, struct err *e);

/* The names of the segments in the folder LOG, at PATH, but for the newest, the
 * oldest first, in A; release NAMES.items with free().  0 or -1. */
int oplog_segments(int log, const char *path, struct strings *names,
		   struct arena *a, struct err *e);

/* Keep the LEN bytes of P, whose sum is SUM; DURABLE: synced.  Returns 1, 0 if there
 * was a file for them already, or -1. */
int oplog_keep(struct oplog *l, struct repo *repo, const char *sum,
	       const char *p, size_t len, bool durable, struct err *e);

#endif
