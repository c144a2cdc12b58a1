/* adopt.h: move an operation log from an earlier place to the present one.
 *
 * The place of a log depends on the path of the store and on the git directory around
 * it.  So if a store was moved, or got a git directory of its own, its first writer
 * moves the log too, and the drafts next to it: the first log that is proven to belong
 * to the store, if the store has none yet (see repo/log-folder.h).
 *
 * Older versions kept the log in knowledge/.log/.  A clone, a pull, a checkout and an
 * archive can write to that, so it counts only if it is proven to be ours.  The user's own list of projects has the store from an
 * older co, which this one has not written to; git tracks no file below it; and each
 * file of lines was last written at the time that its last line says: git gives what
 * it writes the time of the checkout, which nobody knows when they commit.  What is
 * proven moves to where the log is now (see oplog.h), all at once; the rest stays, and
 * is never read.
 */
#ifndef CO_OPLOG_ADOPT_H
#define CO_OPLOG_ADOPT_H

#include "repo/layout.h"

enum adopt {
	ADOPT_NONE, /* there is no other log */
	ADOPT_OURS, /* there is, some of it is proven, and there is no log yet */
	ADOPT_TRACKED, /* git tracks it */
	ADOPT_UNUSED   /* it is not proven, or there is a log already */
};

/* Say what the old log of REPO is.  Reads only. */
enum adopt adopt_judge(struct repo *repo);

/* Move what is ours, durably.  The caller holds the store's lock.  1; 0 where there
 * is nothing to move; -1: ERR_DATA, git tracks it; ERR_SYSTEM. */
int adopt_old(struct repo *repo, struct err *e);

#endif
