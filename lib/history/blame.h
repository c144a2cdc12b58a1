/* blame.h: find the step that wrote each line of a memory.
 *
 * Lines are followed through all versions in the history, across renames, and
 * through all parents of a merge.
 */
#ifndef CO_HISTORY_BLAME_H
#define CO_HISTORY_BLAME_H

#include "history/history.h"

struct blame_line {
	const struct step *step;
	const struct change *change; /* a change of that step */
	const char *p;		     /* without line end */
	size_t len;
};

struct blame {
	struct blame_line *lines;
	size_t n;
	size_t head; /* the lines before the first of the content: the frontmatter */
};

/* Fill B with the lines of the latest version in H, or of the last one before
 * it was deleted.  H must be about one memory or document.  B is allocated in
 * H's arena.  Returns false if no version is known. */
bool blame_make(struct blame *b, struct history *h);

#endif
