/* page.h: read the metadata of an HTML page: title, author, date, language,
 * description and address. */
#ifndef CO_EXTRACT_PAGE_H
#define CO_EXTRACT_PAGE_H

#include "extract/tree.h"

/* NULL if absent. The strings are allocated in the caller's arena. PUBLISHED is a date as
 * the page writes it. */
struct page {
	const char *title, *author, *published, *language, *description;
	const char *canonical; /* the page's own address */
};

/* Return the metadata of ROOT. References are resolved relative to BASE, which
 * may be NULL. Cannot fail; the metadata is not verified. */
struct page page_read(const struct tree_node *root, const char *base,
		      struct arena *a);

#endif
