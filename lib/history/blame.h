/* blame.h: which step wrote which line of a memory.
 *
 * Lines are followed through the versions that the steps know, wherever the
 * file went; of a merge through all its sides.
 */
#ifndef CO_HISTORY_BLAME_H
#define CO_HISTORY_BLAME_H

#include "history/history.h"

struct blame_line {
	const struct step *step;
	const struct change *change; /* of that step */
	const char *p;		     /* without its end */
	size_t len;
};

struct blame {
	struct blame_line *lines;
	size_t n;
};

/* Fill B with the lines of what H, of one memory or document, has latest, or had
 * last: false where nothing is known.  In H's arena. */
bool blame_make(struct blame *b, struct history *h);

#endif
