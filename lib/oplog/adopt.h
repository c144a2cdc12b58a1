/* adopt.h: move an operation log from an earlier directory to the present one.
 *
 * The directory of a log depends on the path of the store and on the git directory
 * around it. If a store was moved, or got a git directory of its own, its first writer
 * moves the log and the drafts next to it. It moves the first log that is proven to
 * belong to the store, if the store has none yet (see repo/log-folder.h).
 *
 * Older versions kept the log in knowledge/.log/. A clone, a pull, a checkout or an
 * archive can write files there, so the log is used only if three facts prove that this
 * user wrote it. The user's own list of projects has the store from an older version,
 * and this version has not written to it. Git tracks no file in the directory. Each
 * file of lines was last written at the time of its last line: git would set the time
 * of the checkout, which is unknown at the time of the commit. The proven files move to
 * the present directory (see oplog.h), all at once. The others stay and are never read.
 */
#ifndef CO_OPLOG_ADOPT_H
#define CO_OPLOG_ADOPT_H

#include "repo/layout.h"

enum adopt {
	ADOPT_NONE,    /* there is no other log */
	ADOPT_OURS,    /* some of it is proven, and there is no present log */
	ADOPT_TRACKED, /* git tracks it, or that cannot be found out */
	ADOPT_UNUSED   /* it is not proven, or there is a present log */
};

/* Return the state of the old log of REPO. Nothing is written. */
enum adopt adopt_judge(struct repo *repo);

/* Move the proven files of the old log durably. The caller holds the store's lock.
 * Return 1; 0 if there is nothing to move; or -1: ERR_DATA, git tracks the log;
 * ERR_SYSTEM. */
int adopt_old(struct repo *repo, struct err *e);

#endif
