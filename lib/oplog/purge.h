/* purge.h: remove files from the log, with all that it keeps of them.
 *
 * With a file go its lines, those under its other names (a draft may be accepted under
 * another number, for example), and the bytes of all its versions.  Names of one file
 * share sums.
 */
#ifndef CO_OPLOG_PURGE_H
#define CO_OPLOG_PURGE_H

#include "repo/layout.h"

struct oplog_purge {
	const char *const *paths; /* of files: their names count, wherever they
				   * stand */
	size_t n;

	/* True if what is kept as NAME, or a line of the log (NAME is ""), holds
	 * what is to go as well; may be NULL. */
	bool (*holds)(void *ctx, const char *name, const struct buf *text);
	/* Gets each file that goes, and of how many lines of one; may be NULL. */
	void (*gone)(void *ctx, const char *what);
	void *ctx;
	bool dry; /* tell alone what would go */
};

/* Purge the log of REPO, and other logs of the same store.  The caller holds the lock,
 * unless P is dry.  Returns 0 or -1. */
int oplog_purge(struct repo *repo, const struct oplog_purge *p, struct err *e);

#endif
