/* documents.h: the documents of a view, as arrays by which they are ranked. */
#ifndef CO_SEARCH_DOCUMENTS_H
#define CO_SEARCH_DOCUMENTS_H

#include "cache/cache.h"

#define DOCUMENTS_MISSING UINT32_MAX

/* By number, ascending; a zeroed one is empty. */
struct documents {
	size_t n;
	uint32_t *numbers;
	uint32_t
		*lengths; /* in terms; DOCUMENTS_MISSING until they are known */
	uint8_t *kinds;	  /* enum view_kind */
	uint32_t *family; /* as rank/corpus.h has it */
	uint32_t nfamilies;
	int64_t *place;
	bool *marked; /* its keys may hide it, see repo/marks.h */
};

/* Replace what D holds by the documents of C.  Cannot fail. */
void documents_list(struct documents *d, struct cache *c);

/* Leave out those whose length is not known. */
void documents_leave_missing(struct documents *d);

/* What D is found by, *LEN bytes: its text, and of an article, which is somebody
 * else's and full of links, what of that is words (see text/markdown-words.h),
 * in ROOM. */
const char *documents_words(const struct view_doc *d, struct buf *room,
			    size_t *len);

void documents_release(struct documents *d);

#endif
