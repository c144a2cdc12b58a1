/* parts.h: split a text that is too large for one article.
 *
 * It is split at headings of the first level that the text has. A part that is
 * still too large is split at lower levels. Headings in lists and quotes do
 * not count.
 */
#ifndef CO_ARTICLE_PARTS_H
#define CO_ARTICLE_PARTS_H

#include "base/err.h"

#include <stddef.h>

#define PARTS_MOST 999

/* A list of parts. Release it with parts_release(). */
struct parts {
	struct part {
		/* Borrowed from the text, without surrounding blank lines. */
		const char *p;
		size_t len;
	} * items;
	size_t n, cap;
};

/* Set LIST to the parts of the LEN bytes of P, which are borrowed: each has at
 * most MAX bytes. A blank text has no parts. Returns 0, or -1 with ERR_DATA
 * if the text below one heading is too large, or there are over PARTS_MOST
 * parts. Release LIST in any case. */
int parts_cut(struct parts *list, const char *p, size_t len, size_t max,
	      struct err *e);
void parts_release(struct parts *list);

/* Remove the blanks at the end of *P and the empty lines at its start: change *P and
 * *LEN. */
void parts_strip(const char **p, size_t *len);

#endif
