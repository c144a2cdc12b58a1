/* answer.h: the documents of one or several stores that answer a question.
 *
 * The stores are ranked as one corpus, since what is rare is rare in all.
 * What equals in score goes by recency, earlier stores first.
 */
#ifndef CO_ANSWER_H
#define CO_ANSWER_H

#include "index.h"
#include "rank.h"

#define ANSWER_STORES_MAX 2

/* Which documents. */
#define ANSWER_MEMORIES (1u << CACHE_MEMORY)
#define ANSWER_ALL \
	(1u << CACHE_MEMORY | 1u << CACHE_ARTICLE | 1u << CACHE_CATEGORY)

struct answer_hit {
	const struct index *index;
	struct cache_doc doc; /* borrowed from the view, but for its path */
	const char *path;     /* of its file; in the arena */
	struct rank_hit rank;
};

struct answer {
	struct answer_hit *hits; /* best first, each file once */
	size_t n;
	struct rank_result rank;
	size_t documents; /* that were ranked */
};

/* Fill OUT, in A, with what the N <= ANSWER_STORES_MAX indexes ALL have of
 * KINDS for ASK.  A database that turns out to be damaged is done without. */
int answer_find(struct index *all, size_t n, unsigned kinds,
		const struct rank_ask *ask, struct arena *a, struct answer *out,
		struct err *e);

/* The record of a HIT; a section's has its title and no id.  In A, but for
 * what is borrowed from the view. */
struct record answer_record(const struct answer_hit *hit, struct arena *a);

#endif
