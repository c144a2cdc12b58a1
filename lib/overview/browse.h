/* browse.h: all that stores know as one HTML page, for people who would rather
 * look than read.
 *
 * The page is one file that needs no other and no network.  It is made as two
 * well known ones are: TiddlyWiki keeps what it holds as JSON in a script
 * element of a type that no browser runs, each `<` in it as \u003c; cargo's
 * --timings joins a frame, the data and a program that were written apart.  Here
 * these are browse.html, browse.css and browse.js, plain files beside this one,
 * which the Makefile makes strings of.
 *
 * Texts of files may be hostile.  They stand in the JSON alone, where nothing
 * can end the element, hidden characters made visible (see text/sanitize.h); the
 * program puts them into the page as text, never as markup.  Should that fail
 * once, the page's own policy lets nothing run but this program, which it names
 * by its SHA-256, and nothing be loaded from anywhere.
 *
 * A page has at most BROWSE_MAX bytes where it can: else the longest texts are
 * cut, all at the same length, and say so; none is cut below BROWSE_LEAST.
 */
#ifndef CO_OVERVIEW_BROWSE_H
#define CO_OVERVIEW_BROWSE_H

#include "store/store.h"

#define BROWSE_MAX 8000000
#define BROWSE_LEAST 160

struct browse {
	struct store *const *stores; /* the project's before the user's */
	size_t n;
	bool sensitive; /* with the texts of memories that say `sensitive: true` */
};

/* Make OUT, which is empty, the page.  What is broken in a store goes to its
 * report, what is wrong with a context to R.  -1: a folder cannot be read. */
int browse_page(struct buf *out, const struct browse *b, const struct report *r,
		struct err *e);

#endif
