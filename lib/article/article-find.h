/* article-find.h: iterate over the articles of a store, and find one. */
#ifndef CO_ARTICLE_ARTICLE_FIND_H
#define CO_ARTICLE_ARTICLE_FIND_H

#include "store/store.h"

/* Call FN for each article, as store_each_strict() does. Unreadable articles
 * are skipped without a report. */
int article_each(struct store *s, store_fn *fn, void *ctx, struct err *e);

/* Find the article from SOURCE. Returns 1 (R is allocated in A), 0 if there is
 * none, or -1. Unreadable articles are skipped. */
int article_find(struct store *s, const char *source, struct arena *a,
		 struct record *r, struct err *e);

/* A search for the article from SOURCE, and for one from elsewhere with the
 * same bytes. */
struct article_finding {
	const char *source, *sha256; /* of the bytes; NULL: do not search */
	struct arena *a;
	struct record r;  /* from SOURCE; its path is NULL if there is none */
	const char *twin; /* path of an article with the same bytes, or NULL */
};

/* Run the search F, whose source, sum and arena are set. Returns 0 or -1. */
int article_find_with_twin(struct store *s, struct article_finding *f,
			   struct err *e);

#endif
