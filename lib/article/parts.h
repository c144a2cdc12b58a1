/* parts.h: cutting a text that is too large for one article.
 *
 * It is cut where its first-level headings are, or where it has none, those of the
 * next level that it has; a part that is too large still, at those below.  Headings
 * in lists and quotes cut nothing.
 */
#ifndef CO_ARTICLE_PARTS_H
#define CO_ARTICLE_PARTS_H

#include "base/err.h"

#include <stddef.h>

#define PARTS_MOST 999

/* Release with parts_release(). */
struct parts {
	struct part {
		const char *p; /* in the text, without blank lines around */
		size_t len;
	} * items;
	size_t n, cap;
};

/* Cut the LEN bytes of P, which are borrowed, into parts of MAX bytes at most.
 * ERR_DATA: there is too much below one heading, or there are too many. */
int parts_cut(struct parts *list, const char *p, size_t len, size_t max,
	      struct err *e);
void parts_release(struct parts *list);

#endif
