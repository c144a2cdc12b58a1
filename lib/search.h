/* search.h: finding memories without an index.
 *
 * A memory matches where its stripped body or any single tag does.
 */
#ifndef CO_SEARCH_H
#define CO_SEARCH_H

#include "match.h"
#include "store.h"

/* What narrows a list or a search beside the text. */
struct narrow {
	const char *const *tags; /* all must be there; compared caselessly */
	size_t ntags;
	bool has_since, has_until;
	struct instant since, until; /* both inclusive */
};

bool narrow_test(const struct narrow *n, const struct record *r);

/* 1 if M matches R's content or one of its tags, 0 or -1 as match_test(). */
int search_test(struct match *m, const struct record *r, struct err *e);

/* Recall by grep: the records of the N STORES that hold the whole QUERY as one
 * literal, caseless, newest first, earlier stores first on ties, at most MAX;
 * when none does, those that hold any of its words, stop words aside unless
 * nothing else is left, by the number of distinct words, then newest, each
 * marked partial.  OUT lives in A. */
int search_recall(struct store *const *stores, size_t n, const char *query,
		  size_t max, struct arena *a, struct records *out,
		  struct err *e);

#endif
