/* purge-command.h: permanently delete a memory, an article or a text, print
 * where it remains, and how to remove it from git.
 */
#ifndef CO_FORGET_PURGE_COMMAND_H
#define CO_FORGET_PURGE_COMMAND_H

#include "store/store.h"

struct purge_command {
	struct store *s;
	const char *operand; /* an id or a path; NULL: the text on standard
			      * input, and every memory that contains a line of
			      * it */
	bool proof;	     /* delete nothing, only search */
	bool dry;	     /* only print what would be deleted */
	bool ask;	     /* print that, and ask before deleting */
};

/* Carry out P. Return the exit status: ERR_NONE, the text is nowhere; ERR_NO,
 * it remains where printed, or the user declined; ERR_SYSTEM, something could
 * not be searched. Ends the process on other errors. */
int purge_command(const struct purge_command *p);

#endif
