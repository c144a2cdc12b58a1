/* oplog.h: write and read the log of the operations on a store, and adopt an earlier one.
 *
 * 	LOG/now/ops     the newest operations, one line per change
 * 	LOG/now/SUM     a content that one of them needs
 * 	LOG/NUMBER/     an older segment, with ops and SUM, up to that operation
 * 	LOG/unfinished  the lines of a journal: see store/journal.h
 * 	LOG/store       the store that wrote it: see repo/log-folder.h
 *
 * LOG is log_folder_path(), in the git directory of the work tree or the user's state
 * directory. A clone, a pull and a checkout write to neither, so the log is ours.
 * Temporary files are created in LOG, and removed there.
 *
 * A line is a JSON object: {"op","at","command","by","path","before","after"}, and
 * "worktree", "other", "other_op", "undoes", "trash" and "from" if they apply (see
 * lines-json.h). {"op","path","failed":true} cancels the last line of its path. Only
 * LOG/unfinished has "awaits": the absolute path of a file in another store. If that
 * file does not exist, the change of a killed process is dropped and not finished.
 *
 * Lines are appended under the store's lock before the change that they describe, or
 * after the last step of a journal. They are never synced, so a save costs a write and
 * no sync. A killed process leaves at most one line too many. A power failure may lose
 * the last lines, but never their changes. Contents that a change overwrites or removes
 * are synced before it.
 *
 * OPLOG_SEGMENT operations are one segment. When the next one is begun, segments older
 * than OPLOG_DAYS are removed, but never the newest complete one. So the log has the
 * last OPLOG_SEGMENT operations or those of OPLOG_DAYS, whichever are more.
 */
#ifndef CO_OPLOG_OPLOG_H
#define CO_OPLOG_OPLOG_H

#include "base/sha256.h"
#include "base/strings.h"
#include "oplog/lines-json.h"
#include "repo/layout.h"

#define OPLOG_FOLDER LAYOUT_LOG
#define OPLOG_NOW "now"
#define OPLOG_OPS "ops"
#define OPLOG_NOTE "unfinished"
#define OPLOG_LINES_MAX \
	((size_t)256 * 1024 * 1024) /* of a segment that is read */
#define OPLOG_NOTE_MAX \
	(OPLOG_LINES_MAX / 2) /* of a note that is written or read */
#define OPLOG_LINES_FULL \
	(OPLOG_LINES_MAX / 4) /* larger ones get a new segment */
#define OPLOG_SEGMENT 1000
#define OPLOG_DAYS 90

struct oplog {
	int top;	  /* the directory of the log; -1: not open */
	int dir, ops;	  /* the newest segment and its lines; likewise */
	int64_t size;	  /* of the lines after our last write */
	int64_t number;	  /* of our operation; 0: none is begun */
	const char *path; /* of the directory; borrowed from the root */
};

/* The initial value of an oplog. */
#define OPLOG_NONE ((struct oplog){-1, -1, -1, 0, 0, NULL})

/* Begin an operation, or continue that of L if no other process wrote meanwhile. The
 * log is created if it is absent. The caller holds the store's lock. Return 0 or -1. */
int oplog_begin(struct oplog *l, struct repo *repo, struct err *e);

/* Close the log, and set L to OPLOG_NONE. */
void oplog_close(struct oplog *l);

/* Append OP's changes as lines, after oplog_begin(). Return 0 or -1. */
int oplog_add(struct oplog *l, const struct oplog_op *op, struct err *e);

/* Cancel the last line of PATH in the operation of L. Return 0 or -1. */
int oplog_fail(struct oplog *l, const char *path, struct err *e);

/* Set *NAMES to the segments in the directory LOG at PATH, without the newest, the
 * oldest first. The strings are allocated in A; the caller frees NAMES->items.
 * Return 0, or -1 with nothing to free. */
int oplog_segments(int log, const char *path, struct strings *names,
		   struct arena *a, struct err *e);

/* Store the LEN bytes of P, whose sum is SUM, in the newest segment, after
 * oplog_begin(). DURABLE: sync them. Return 1 if it did not have them, 0 if it had
 * or may have had them, or -1. */
int oplog_keep(struct oplog *l, struct repo *repo, const char *sum,
	       const char *p, size_t len, bool durable, struct err *e);

/* Files to remove from the log, with all their contents. For each file the purge removes
 * its lines, also those with its earlier or later names (a draft may be accepted with
 * another id, for example), and the contents of all its versions. Lines that share a sum
 * or a move connect the names of a file. */
struct oplog_purge {
	const char *const *paths; /* files; only their names count, in any
				   * directory */
	size_t n;

	/* Return true if TEXT must be purged too: the content that the log has in
	 * the file NAME, or a line of the log (NAME is ""). May be NULL. */
	bool (*holds)(void *ctx, const char *name, const struct buf *text);
	/* Called with the path of each file that is removed or loses lines, and the
	 * number of these, "PATH (2 lines)". May be NULL. */
	void (*gone)(void *ctx, const char *what);
	/* Called with the error of each content that cannot be read and stays,
	 * although HOLDS might want it removed. May be NULL. */
	void (*missed)(void *ctx, const char *what);
	void *ctx;
	bool dry; /* call GONE and MISSED, and remove nothing */
};

/* Purge the log of REPO, and other logs of the same store. The caller holds the lock,
 * unless P is dry. Return 0 or -1. */
int oplog_purge(struct repo *repo, const struct oplog_purge *p, struct err *e);

/* The directory of a log depends on the path of the store and on the git directory
 * around it. If a store was moved, or got a git directory of its own, its first writer
 * moves the log and the drafts next to it. It moves the first log that is proven to
 * belong to the store, if the store has none yet (see repo/log-folder.h). A log in the
 * work tree may have come with a clone, so it is never read.
 *
 * Return true if REPO has no log, and there is another one that oplog_adopt() moves.
 * Nothing is written. */
bool oplog_may_adopt(struct repo *repo);

/* Move the other log durably, if there is one and REPO has none. The caller holds the
 * store's lock. Return 1; 0 if there is nothing to move; or -1. */
int oplog_adopt(struct repo *repo, struct err *e);

/* An operation is the changes of one command. It has a number, which grows, and the
 * files that it changed. The log has the changes by our programs in this work tree, not
 * those by an editor or a merge of git. The sums reveal such a change: the file does
 * not have the sum that the last operation left.
 *
 * No clone can write to the directory of the log. Readers of a store do not
 * need it. If it is lost or damaged, its operations cannot be undone; nothing else fails.
 *
 * As in git's reflog, lines are only appended, and the oldest are removed. As in jj's
 * operation log, an undo is an operation, which can be undone. */
struct operations {
	struct oplog_op *ops; /* the newest first */
	size_t n;
	struct timespec written; /* when the log was last written; 0: never */
};

/* Read into H, allocated in A, at least the WANT newest operations of REPO;
 * SIZE_MAX: all. Older segments of the log are not read. Damaged lines are skipped.
 * Return 0 or -1. */
int oplog_read(struct repo *repo, size_t want, struct arena *a,
	       struct operations *h, struct err *e);

/* Return the operation NUMBER of H, or NULL. */
struct oplog_op *oplog_find(const struct operations *h, int64_t number);

/* Set OUT to the content with the sum SUM, which an operation of H left in the log,
 * in the trash, or in the file itself. Return 1, 0 if it is lost, or -1. */
int oplog_read_bytes(struct repo *repo, const struct operations *h,
		     const char *sum, struct buf *out, struct err *e);

/* Open the directory of PATH, a path of a change, as *DIR, and set *NAME to the file
 * name, borrowed from PATH or allocated in A. Links are followed only in the root
 * and knowledge/ of the user's store. Return 1, and the caller closes *DIR; 0 if
 * there is no such directory; or -1, with ERR_DATA if PATH cannot be a file of the
 * store. */
int oplog_open_dir(struct repo *repo, const char *path, struct arena *a,
		   int *dir, const char **name, struct err *e);

/* Read the file at PATH, as named for oplog_open_dir(). Return 1, 0 or -1. */
int oplog_read_file(struct repo *repo, const char *path, struct buf *out,
		    struct err *e);

#endif
