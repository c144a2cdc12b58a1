/* recalled.h: print the result of a recall. */
#ifndef CO_CLI_RECALLED_H
#define CO_CLI_RECALLED_H

#include "cli/out.h"
#include "cli/questions.h"
#include "search/recall.h"

/* Print R, the answer to QUERY among records of KIND (NULL: not given), in the
 * format of OUT. COLOR is the value of --color, for text. UNREAD: a store could
 * not be read; if R is empty, the note says so. For text with few answers of any
 * kind, also say on standard error how many conversations mention QUERY. */
void recalled_print(const struct recall *r, const char *query,
		    const struct out *out, const char *kind, const char *color,
		    bool unread);

/* Print on standard error what failed in the search for R, the answer to Q. With
 * EXPLAIN, also print how STORES, the project's and the user's, were searched.
 * MODE is the mode that was requested. */
void recalled_notes(const struct recall *r, const struct question *q,
		    struct store stores[2], const char *mode, bool explain);

/* Return the setting recall.max_results of STORES, the project's and the
 * user's. A is scratch memory. */
size_t recalled_preset(const struct store stores[2], struct arena *a);

/* How to answer from conversations. */
struct recalled_conversations {
	const struct out *out;
	const char *const *color; /* the value of --color, or NULL */
	bool all;		  /* also from those of other projects */
	bool other; /* options were given that do not go with it */
};

/* Search the conversations for Q and print the answer. End the process on
 * errors. Return true if there is an answer. */
bool recalled_conversations(const struct recalled_conversations *how,
			    const struct question *q);

#endif
