/* scores.h: how well each document of a corpus fits the terms of a question.
 *
 * One array over the documents for each thing that is known of them, filled
 * term by term; then the shares, 0 to 1 (neighbours: to 2 * .3 + 2 * .09), that
 * rank.h makes its signals of.
 */
#ifndef CO_RANK_SCORES_H
#define CO_RANK_SCORES_H

#include "rank/corpus.h"

#define SCORES_BITS 64 /* terms that are told apart in a document */

struct scores {
	const struct corpus *c;
	double mean;	   /* length */
	double lengthy;	   /* 0 for short documents to 1 for long */
	float norm, slope; /* what the length L adds to a count: n + s * L */
	float *words;	   /* BM25 of each document */
	float *near;	   /* shares of its neighbours; NULL: none has */
	uint64_t *holds;   /* the terms that it holds, as bits */
	uint8_t *named;	   /* how much of a tag is named, in 255ths */
	struct families kin;
	size_t nfamilies;    /* that have members */
	double family_mean;  /* length */
	float *family_words; /* BM25 of each family, from 1; NULL: none is */
	float *family_count; /* how often the term at hand is in it */
	float *family_length;
	uint32_t *touched;     /* the families that hold the term at hand */
	float top, family_top; /* the best of words and of family_words */
};

/* The scores of C before any term; release with scores_release(). */
void scores_init(struct scores *s, const struct corpus *c);
void scores_release(struct scores *s);

/* Count the LEN bytes of TERM, WEIGHT times its rarity, and with NAMES in the
 * metadata too; documents that hold it get BIT.  *DOCUMENTS gets how many hold
 * it in their text, *WORTH what it counts.  Fails where the corpus does. */
int scores_add(struct scores *s, const char *term, size_t len, float weight,
	       uint64_t bit, bool names, size_t *documents, float *worth,
	       struct err *e);

/* Call when all terms are in, before what follows.  MEANING, unless it is NULL,
 * is a share of each document, WEIGHT times of which its neighbours get as they
 * get of its words; below 0 is 0. */
void scores_finish(struct scores *s, const float *meaning, float weight);

/* How rare is what WITH of N documents hold. */
float scores_rarity(double n, double with);

/* What a document of the usual length has by words that count VALUE, each held
 * once. */
float scores_usual(const struct scores *s, float value);

float scores_words(const struct scores *s, uint32_t doc);
float scores_near(const struct scores *s, uint32_t doc);
float scores_named(const struct scores *s, uint32_t doc);

/* Of the family of DOC.  One that has none is a family by itself where others
 * have one, so that to have one is no merit. */
float scores_parent(const struct scores *s, uint32_t doc);

#endif
