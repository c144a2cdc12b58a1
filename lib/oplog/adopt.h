/* adopt.h: move an operation log from an earlier directory to the present one.
 *
 * The directory of a log depends on the path of the store and on the git directory
 * around it. If a store was moved, or got a git directory of its own, its first writer
 * moves the log and the drafts next to it. It moves the first log that is proven to
 * belong to the store, if the store has none yet (see repo/log-folder.h). A log in the
 * work tree may have come with a clone, so it is never read.
 */
#ifndef CO_OPLOG_ADOPT_H
#define CO_OPLOG_ADOPT_H

#include "repo/layout.h"

/* Return true if REPO has no log, and there is another one that adopt_old() moves.
 * Nothing is written. */
bool adopt_is_due(struct repo *repo);

/* Move the other log durably, if there is one and REPO has none. The caller holds the
 * store's lock. Return 1; 0 if there is nothing to move; or -1. */
int adopt_old(struct repo *repo, struct err *e);

#endif
