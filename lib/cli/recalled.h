/* recalled.h: printing what a recall has found. */
#ifndef CO_CLI_RECALLED_H
#define CO_CLI_RECALLED_H

#include "cli/out.h"
#include "search/recall.h"

/* Print R, which answers QUERY, asked for records of KIND (NULL: all), as OUT
 * says: as text it is coloured as COLOR, the value of an option, wants.  Where a
 * store is UNREAD, it is said that what could be read has no answer. */
void recalled_print(const struct recall *r, const char *query,
		    const struct out *out, const char *kind, const char *color,
		    bool unread);

/* Say on standard error what was amiss with the search behind R, and where EXPLAIN
 * asks for it how STORES, the project's and the user's, were searched: by MODE, as
 * it was asked for, for at most MAX answers. */
void recalled_notes(const struct recall *r, const struct store stores[2],
		    const char *mode, size_t max, bool explain);

/* How many answers the settings of STORES, the project's and the user's, want. */
size_t recalled_preset(const struct store stores[2], struct arena *a);

#endif
