/* documents.h: the documents of a view, as arrays for ranking. */
#ifndef CO_SEARCH_DOCUMENTS_H
#define CO_SEARCH_DOCUMENTS_H

#include "cache/cache.h"

#define DOCUMENTS_MISSING UINT32_MAX

/* All arrays are by number, ascending. A zeroed one is empty. */
struct documents {
	size_t n;
	uint32_t *numbers;
	uint32_t *lengths; /* in terms; DOCUMENTS_MISSING: not known */
	uint8_t *traits;   /* see rank/traits.h */
	uint8_t *kinds;	   /* enum view_kind */
	uint32_t *family;  /* see rank/corpus.h */
	uint32_t nfamilies;
	int64_t *place;
	bool *marked; /* a key may hide it, see repo/marks.h */
};

/* Replace the contents of D by the documents of C. */
void documents_list(struct documents *d, struct cache *c);

/* Remove the documents whose length is DOCUMENTS_MISSING. */
void documents_leave_missing(struct documents *d);

/* Return the *LEN bytes of D's text that are indexed. Of an article, written by
 * others and full of links, these are its words (see text/markdown.h), in
 * ROOM; otherwise the text, borrowed. */
const char *documents_words(const struct view_doc *d, struct buf *room,
			    size_t *len);

void documents_release(struct documents *d);

#endif
