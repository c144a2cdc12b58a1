/* answer.h: find the documents of one or several stores that answer a question.
 *
 * The stores are ranked as one corpus, since a rare word must be rare in all of
 * them. Equal scores are ordered by date, newest first, then by store.
 */
#ifndef CO_SEARCH_ANSWER_H
#define CO_SEARCH_ANSWER_H

#include "rank/rank.h"
#include "search/index.h"

/* Sets of kinds: one, and all that are in stores. */
#define ANSWER_KIND(k) (1u << (k))
#define ANSWER_ALL (ANSWER_KIND(RECORD_CONVERSATION) - 1)

struct answer_hit {
	const struct index *index;
	const struct rank_hit *rank;
	uint32_t number; /* in the view of INDEX */
};

struct answer {
	struct answer_hit *hits; /* best first, each file once */
	size_t n;
	struct rank_result rank;
	size_t documents; /* documents ranked */
};

/* One store: its documents of the wanted kinds, by number. The first one is
 * document FIRST of the corpus. */
struct answer_part {
	struct index *index;
	const uint32_t *numbers;
	uint32_t n, first;
};

/* Ranking by meaning. FILL is called when the DOCUMENTS to rank are known. It
 * sets the vector fields of ASK (see rank/rank.h), allocated in A. If it
 * cannot, it leaves ASK unchanged and reports that itself. */
struct answer_semantic {
	void (*fill)(void *ctx, const struct answer_part *parts, size_t n,
		     size_t documents, struct rank_ask *ask, struct arena *a);
	void *ctx;
	struct expansion_ask expansion; /* of words; used even without FILL's
					 * vectors */
};

/* Fill OUT, in A, with the documents of KINDS in the N indexes ALL that answer
 * ASK, best first. MEANING may be NULL. Documents hidden by marks (see
 * repo/marks.h) are left out, except those with only LIFTED ones. A damaged
 * database is replaced by an index in memory. Return 0 or -1. */
int answer_find(struct index *all, size_t n, unsigned kinds, unsigned lifted,
		const struct rank_ask *ask,
		const struct answer_semantic *meaning, struct arena *a,
		struct answer *out, struct err *e);

/* Return the number of documents of KIND. */
size_t answer_count(const struct index *ix, enum record_kind kind);

/* Return as JSON, in A, the terms used in place of words that no document has:
 * {"word":["term",...]}. NULL: none. */
const char *answer_instead(const struct answer *answer, struct arena *a);

/* Return the document of HIT. Strings are borrowed from the view. */
struct view_doc answer_doc(const struct answer_hit *hit);

/* Return the record of HIT, in A or borrowed from the view. A section has a
 * title and no id. So has an item, whose source and date are set from its
 * text. */
struct record answer_record(const struct answer_hit *hit, struct arena *a);

/* Set text, source and date of R from its content, if that is an item of a category
 * file. */
void answer_item_fields(struct record *r, struct arena *a);

#endif
