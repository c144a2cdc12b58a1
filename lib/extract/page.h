/* page.h: what an HTML page says of itself: title, author, dates and place. */
#ifndef CO_EXTRACT_PAGE_H
#define CO_EXTRACT_PAGE_H

#include "extract/tree.h"

/* NULL where it is not said; all live in the arena that was given. */
struct page {
	const char *title, *author, *published, *language, *description;
	const char *canonical; /* where the page says that it is */
};

/* What ROOT says of itself; references are made absolute by BASE, or NULL.
 * Cannot fail: what it says is believed as far as it is text. */
struct page page_read(const struct tree_node *root, const char *base,
		      struct arena *a);

#endif
