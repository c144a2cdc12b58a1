/* purge.h: taking files out of the log, with all that it keeps of them.
 *
 * What goes with a file that is named: its lines, those that it had under other
 * names (a draft that was accepted as another number, say), and the bytes of all
 * that it ever was.  Known are such names by the sums that they share.
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

/* The lock is ours, unless P is dry.  0 or -1. */
int oplog_purge(struct repo *repo, const struct oplog_purge *p, struct err *e);

#endif
