/* since.h: what is wrong with a store that was not wrong at a commit.
 *
 * For who reviews a change: faults that were there before are nobody's here.  A
 * fault is the same where its kind, its file and its words are, wherever in the
 * file it stands.
 */
#ifndef CO_REPAIR_SINCE_H
#define CO_REPAIR_SINCE_H

#include "repair/check.h"

/* Drop from FAULTS, those of the project's store S, what the commit REV has as
 * well, and append one of the kind "moved" for each id that means another memory
 * than it does in REV.  The working directory is another meanwhile.
 * -1: ERR_USAGE, no such commit; ERR_SYSTEM, ERR_HELPER. */
int since_pick(struct faults *faults, struct store *s, const char *rev,
	       struct err *e);

#endif
