/* replacement.h: one memory in the place of another, both steps or none.
 *
 * The new one stands before the old one goes to the trash, so that a reader may
 * meet both, and never neither.  What is about to happen is noted first, in
 * trash/.replacing: whoever takes the lock after a writer was killed finishes
 * it.  Where the new one stands, the old one goes; where it does not, nothing
 * has happened.
 */
#ifndef CO_STORE_REPLACEMENT_H
#define CO_STORE_REPLACEMENT_H

#include "store/handle.h"

/* Note that the file NAME, which is not there yet, is to take the place of the
 * file OLD, both of memories/.  The lock is ours until replacement_end(), which
 * must follow. */
int replacement_begin(struct store *s, const char *name, const char *old,
		      struct err *e);

/* NAME STANDS, durably: OLD goes to the trash; or it does not, and OLD stays.
 * After -1 whoever takes the lock next tries again, if the note stands. */
int replacement_end(struct store *s, bool stands, struct err *e);

/* True if a writer was killed on the way. */
bool replacement_pending(struct store *s);

/* Finish what it began.  The lock is ours. */
int replacement_resume(struct store *s, struct err *e);

#endif
