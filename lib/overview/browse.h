/* browse.h: the contents of stores as an HTML page.
 *
 * The page is one file that needs no other file and no network. The data is
 * JSON in a script element whose type no browser executes, with each `<`
 * written as \u003c. The frame, style and program are browse.html, browse.css
 * and browse.js in this directory; the Makefile turns them into C strings.
 *
 * Texts may be hostile. They occur only in the JSON, where nothing can end the
 * element, and hidden characters are made visible (see text/sanitize.h). The
 * program inserts them into the page as text, never as markup. As a second
 * defence, the content security policy allows only this program, named by its
 * SHA-256, and loads nothing.
 *
 * A page has at most BROWSE_MAX bytes if possible. To achieve that, the longest
 * texts are cut to a common length and marked as cut, but never below
 * BROWSE_LEAST bytes.
 */
#ifndef CO_OVERVIEW_BROWSE_H
#define CO_OVERVIEW_BROWSE_H

#include "store/store.h"

#define BROWSE_MAX 8000000
#define BROWSE_LEAST 160

struct browse {
	struct store *const *stores; /* the project's store first */
	size_t n;
	bool sensitive; /* include the texts of sensitive memories */
};

/* Write the page to OUT, which must be empty. Broken memories are reported to
 * the report of their store, errors of a context to R. Return 0, or -1 if a
 * directory cannot be read. */
int browse_page(struct buf *out, const struct browse *b, const struct report *r,
		struct err *e);

#endif
