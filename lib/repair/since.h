/* since.h: faults of a store that it did not have at a commit.
 *
 * For the review of a change, which is not responsible for earlier faults. Two
 * faults are equal if their kind, file and text are equal; line numbers and
 * sizes are ignored.
 */
#ifndef CO_REPAIR_SINCE_H
#define CO_REPAIR_SINCE_H

#include "repair/check.h"

/* Remove from FAULTS, the faults of the project's store S, those that the
 * commit REV has, too. Append a fault of the kind "moved" for each id that
 * meant another memory in REV. Changes the working directory temporarily.
 * Return 0, or -1: ERR_USAGE, no such commit; ERR_SYSTEM; ERR_HELPER. */
int since_pick(struct faults *faults, struct store *s, const char *rev,
	       struct err *e);

#endif
