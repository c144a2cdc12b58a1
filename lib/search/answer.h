/* answer.h: the documents of one or several stores that answer a question.
 *
 * The stores are ranked as one corpus, since what is rare is rare in all.
 * What equals in score goes by recency, earlier stores first.
 */
#ifndef CO_SEARCH_ANSWER_H
#define CO_SEARCH_ANSWER_H

#include "rank/rank.h"
#include "search/index.h"

/* Which documents: those of a kind, and all. */
#define ANSWER_KIND(k) (1u << (k))
#define ANSWER_ALL (ANSWER_KIND(RECORD_KINDS) - 1)

struct answer_hit {
	const struct index *index;
	const struct rank_hit *rank;
	uint32_t number; /* in the view of INDEX */
};

struct answer {
	struct answer_hit *hits; /* best first, each file once */
	size_t n;
	struct rank_result rank;
	size_t documents; /* that were ranked */
};

/* One store among those that are ranked: its documents of the kinds asked for,
 * by number, ascending; the first of them is document FIRST of the corpus. */
struct answer_part {
	struct index *index;
	const uint32_t *numbers;
	uint32_t n, first;
};

/* What ranks by meaning as well: FILL is called when it is known which
 * documents are ranked, DOCUMENTS in all, and sets in ASK what rank/rank.h has
 * for vectors, in the arena.  Where it cannot, it leaves ASK as it is, and why
 * is its own affair. */
struct answer_semantic {
	void (*fill)(void *ctx, const struct answer_part *parts, size_t n,
		     size_t documents, struct rank_ask *ask, struct arena *a);
	void *ctx;
	struct expansion_ask expansion; /* of the words, in any case */
};

/* Fill OUT, in A, with what the N indexes ALL have of
 * KINDS for ASK, and by MEANING, which may be NULL; what marks hide (see
 * repo/marks.h) is not among it, but for those LIFTED.  A database that turns out
 * to be damaged is done without. */
int answer_find(struct index *all, size_t n, unsigned kinds, unsigned lifted,
		const struct rank_ask *ask,
		const struct answer_semantic *meaning, struct arena *a,
		struct answer *out, struct err *e);

/* How many documents of KIND the index has. */
size_t answer_count(const struct index *ix, enum record_kind kind);

/* The terms that ANSWER has instead of words which no document holds, as JSON:
 * {"word":["term",...]}; it lives in A.  NULL: there are none. */
const char *answer_instead(const struct answer *answer, struct arena *a);

/* The document of a HIT, as view_find() has it. */
struct view_doc answer_doc(const struct answer_hit *hit);

/* The record of a HIT; that of an item or of a section has its title and no
 * id, and that of an item says where it comes from as a memory's does.  In A,
 * but for what is borrowed from the view. */
struct record answer_record(const struct answer_hit *hit, struct arena *a);

#endif
