/* forget.h: restore what was forgotten last, and delete permanently. */
#ifndef CO_FORGET_FORGET_H
#define CO_FORGET_FORGET_H

#include "store/store.h"

/* Restore the newest removal of S and print it. Return the exit status: ERR_NO
 * if there is none. */
int forget_restore_last(struct store *s);

/* Append a hint where TEXT is, which no memory of S has: another store, an article or a
 * context; if it is nowhere, how to search. A is scratch memory. */
void forget_explain_absent(struct buf *out, struct store *s, const char *text,
			   struct arena *a);

/* A permanent deletion. */
struct forget_purge {
	struct store *s;
	const char
		*operand; /* an id or a path of a memory, an article or another
			      * document; NULL: the text on standard input, and
			      * every memory that contains a line of it */
	bool proof;	  /* delete nothing, only search */
	bool dry;	  /* only print what would be deleted */
	bool ask;	  /* print that, and ask before deleting */
};

/* Carry out P, print where the text remains, and how to remove it from git. Return
 * the exit status: ERR_NONE, the text is nowhere; ERR_NO, it remains where printed, or
 * the user declined; ERR_SYSTEM, something could not be searched. Ends the process on
 * other errors. */
int forget_purge(const struct forget_purge *p);

#endif
