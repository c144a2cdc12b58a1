/* article-find.h: going through the articles of a store. */
#ifndef CO_ARTICLE_ARTICLE_FIND_H
#define CO_ARTICLE_ARTICLE_FIND_H

#include "store/store.h"

/* Call FN with each article, as store_each_strict(); nothing is told of those that
 * cannot be read, which are not asked for. */
int article_each(struct store *s, store_fn *fn, void *ctx, struct err *e);

/* The article from SOURCE: 1 (R lives in A), 0, -1.  What cannot be read is
 * nobody's. */
int article_find(struct store *s, const char *source, struct arena *a,
		 struct record *r, struct err *e);

/* The same, and one from elsewhere with the same bytes. */
struct article_finding {
	const char *source, *sha256; /* of the bytes, or NULL */
	struct arena *a;
	struct record r;  /* from the source; its path is NULL: none */
	const char *twin; /* the path of one with the same bytes, or NULL */
};

/* Fill F, whose source, sum and arena are set: 0 or -1. */
int article_find_with_twin(struct store *s, struct article_finding *f,
			   struct err *e);

#endif
