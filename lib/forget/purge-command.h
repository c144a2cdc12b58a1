/* purge.h: deleting for good what must be nowhere, saying where it still stands,
 * and how it is taken out of git.
 */
#ifndef CO_FORGET_PURGE_COMMAND_H
#define CO_FORGET_PURGE_COMMAND_H

#include "store/store.h"

struct purge_command {
	struct store *s;
	const char *operand; /* an id or a path; NULL: the text on standard
			      * input, and all that has a line of it */
	bool proof;	     /* delete nothing, and look alone */
	bool dry;	     /* tell alone what would go */
	bool ask;	     /* tell that, and ask a person before it goes */
};

/* Do so; returns the exit status: ERR_NONE, it is nowhere; ERR_NO, it still stands
 * where was printed, or nobody agreed; ERR_SYSTEM, not everything could be
 * looked at.  Ends the process where it cannot go on. */
int purge_command(const struct purge_command *p);

#endif
