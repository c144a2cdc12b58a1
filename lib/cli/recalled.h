/* recalled.h: print the result of a recall. */
#ifndef CO_CLI_RECALLED_H
#define CO_CLI_RECALLED_H

#include "cli/out.h"
#include "search/recall.h"

/* Print R, the answer to QUERY among records of KIND (NULL: not given), in the
 * format of OUT. COLOR is the value of --color, for text. UNREAD: a store could
 * not be read; if R is empty, the note says so. */
void recalled_print(const struct recall *r, const char *query,
		    const struct out *out, const char *kind, const char *color,
		    bool unread);

/* Print on standard error what failed in the search for R. With EXPLAIN, also
 * print how STORES, the project's and the user's, were searched. MODE and MAX
 * are the mode and the limit that were requested. */
void recalled_notes(const struct recall *r, const struct store stores[2],
		    const char *mode, size_t max, bool explain);

/* Return the setting recall.max_results of STORES, the project's and the
 * user's. A is scratch memory. */
size_t recalled_preset(const struct store stores[2], struct arena *a);

#endif
