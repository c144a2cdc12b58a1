/* expansion.h: search for more terms than those of the question.
 *
 * A word that no document has would be dropped silently, and common words would
 * decide. Instead, similar terms of the store are searched: those that contain
 * the word, that begin or end it, or that differ in a letter or two. An
 * abbreviation is also searched in full, and the reverse.
 */
#ifndef CO_RANK_EXPANSION_H
#define CO_RANK_EXPANSION_H

#include "rank/corpus.h"
#include "rank/query.h"

#define EXPANSION_EACH 6   /* substitutes for one word */
#define EXPANSION_WORDS 16 /* words that get substitutes */

struct expansion_ask {
	/* Return the rank of the folded WORD among English words by frequency,
	 * from 0, or -1 if it is none of them. NULL: unknown. */
	long (*place)(void *ctx, const char *word, size_t len);
	void *ctx;
	const char *const *synonyms; /* the user's, in the form of
				      * rank/abbreviations.c; NULL: none */
};

struct expansion_term {
	const char *p; /* as from terms_each(); NUL-terminated */
	size_t len;
	float weight; /* as a share of the term's own weight, 0 to 1 */
	size_t term;  /* index of the question's term */
	bool instead; /* substitute for a word that no document has */
};

struct expansion {
	struct expansion_term *terms;
	size_t n, cap;
};

/* Append to X, in A, the other forms of Q's words. */
void expansion_forms(struct expansion *x, const struct query *q,
		     const struct expansion_ask *ask, struct arena *a);

/* Append to X, in A, the substitutes for those terms of Q for which MISSING is
 * true. Reads the vocabulary of C once. Return 0, or -1 if C fails. */
int expansion_instead(struct expansion *x, const struct query *q,
		      const bool *missing, const struct expansion_ask *ask,
		      const struct corpus *c, struct arena *a, struct err *e);

/* Common abbreviations of the trade: "short=in full" each, folded; the last entry is
 * NULL. A short form may have several full forms. */
extern const char *const abbreviations[];

#endif
