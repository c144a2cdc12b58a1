/* main-content.h: what of a page is its text, and what is the frame around it.
 *
 * Each paragraph speaks for the elements that it stands in, by its length and
 * its commas; what is mostly links, or is called as frames are called, counts
 * little.  The best element is taken with those of its neighbours that read like
 * it, and what looks like no text is taken out of it.  Where too little is left,
 * this is done again, with less taken out.
 */
#ifndef CO_EXTRACT_MAIN_CONTENT_H
#define CO_EXTRACT_MAIN_CONTENT_H

#include "extract/tree.h"

struct main_content {
	struct tree_node *node; /* an element that holds it; never NULL */
	int pass; /* of the four, from 1, each taking out less; 0: nothing was
		   * found, and it is the whole body */
};

/* The content of the page ROOT, whose title is TITLE ("": none); ROOT is left as
 * it is, the content is a copy in A.  Cannot fail. */
struct main_content main_content_find(const struct tree_node *root,
				      const char *title, struct arena *a);

/* The page's body, as a copy in A, without what nobody sees: scripts, styles,
 * forms' fields and what is hidden. */
struct tree_node *main_content_body(const struct tree_node *root,
				    struct arena *a);

#endif
