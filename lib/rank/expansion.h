/* expansion.h: terms that are looked for beside those of a question.
 *
 * A word that no document holds would be dropped in silence, and leave common
 * words to decide.  Instead of it terms of the store are looked for: those that
 * contain it, begin it or end it, and those that differ in a letter or two.
 * What the trade writes short is looked for in full as well, and the reverse.
 */
#ifndef CO_RANK_EXPANSION_H
#define CO_RANK_EXPANSION_H

#include "rank/corpus.h"
#include "rank/query.h"

#define EXPANSION_EACH 6   /* terms that stand in for one word */
#define EXPANSION_WORDS 16 /* words that are stood in for */

struct expansion_ask {
	/* The place of WORD, folded, among the words of English by how frequent
	 * they are, from 0; -1: it is none.  NULL: none is known. */
	long (*place)(void *ctx, const char *word, size_t len);
	void *ctx;
	const char *const *synonyms; /* the user's, as base/abbreviations.h has
				      * them; NULL: none */
};

struct expansion_term {
	const char *p; /* as terms_each() gives it; NUL-terminated */
	size_t len;
	float weight; /* of what the term would weigh by itself, 0 to 1 */
	size_t term;  /* of the question, that it stands for */
	bool instead; /* of a word that no document holds */
};

struct expansion {
	struct expansion_term *terms;
	size_t n, cap;
};

/* Append to X, whose terms live in A, the other forms of Q's words. */
void expansion_forms(struct expansion *x, const struct query *q,
		     const struct expansion_ask *ask, struct arena *a);

/* Append what stands in for the terms of Q that are MISSING, an array of true
 * and false.  One walk over the vocabulary of C.  Fails where that does. */
int expansion_instead(struct expansion *x, const struct query *q,
		      const bool *missing, const struct expansion_ask *ask,
		      const struct corpus *c, struct arena *a, struct err *e);

#endif
