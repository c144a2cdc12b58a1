/* main-content.h: separate the text of a page from the frame around it.
 *
 * Each paragraph adds to the score of the elements around it, by its length and
 * its commas.  Elements with many links, or with a class name typical of
 * frames, score low.  The best element is taken, with neighbours that are
 * similar, and parts that look like a frame are removed from it.  If too little
 * is left, the next pass removes less.
 */
#ifndef CO_EXTRACT_MAIN_CONTENT_H
#define CO_EXTRACT_MAIN_CONTENT_H

#include "extract/tree.h"

struct main_content {
	struct tree_node *node; /* contains the content; never NULL */
	/* The pass, 1 to 4, each removing less than the previous one; 0:
	 * nothing was found, so it is the whole body. */
	int pass;
};

/* Return the content of the page ROOT with the title TITLE ("" for none).  The
 * content is a copy, allocated in A; ROOT is not changed.  Cannot fail. */
struct main_content main_content_find(const struct tree_node *root,
				      const char *title, struct arena *a);

/* Return a copy of the page's body, allocated in A, without invisible parts:
 * scripts, styles, form fields and hidden elements. */
struct tree_node *main_content_body(const struct tree_node *root,
				    struct arena *a);

#endif
