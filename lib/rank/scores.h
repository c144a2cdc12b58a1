/* scores.h: how well each document of a corpus matches the terms of a question.
 *
 * Arrays over all documents are filled term by term. The functions below then
 * return shares, from 0 to 1 (for neighbours, to 2 * .3 + 2 * .09), from which
 * rank.h makes its signals.
 */
#ifndef CO_RANK_SCORES_H
#define CO_RANK_SCORES_H

#include "rank/corpus.h"

#define SCORES_BITS 64 /* terms that have a bit of their own */

struct scores {
	const struct corpus *c;
	double mean;	   /* mean length */
	double lengthy;	   /* 0 for short documents to 1 for long ones */
	float meant;	   /* share of the documents whose meaning an encoder of
			    * words can tell: neither code nor commits */
	float norm, slope; /* a length L adds norm + slope * L to a count */
	float *words;	   /* BM25 of each document */
	float *near;	   /* shares of its neighbours; NULL: no families */
	float *reply;	   /* share of the question that it answers; NULL: no
			    * families */
	bool *answered;	   /* it only asks, and the next turn does not */
	uint64_t *holds;   /* the terms it has, as bits */
	uint8_t *named;	   /* share of a tag, title or source that is named, in
			    * 255ths */
	struct families kin;
	size_t nfamilies;    /* with members */
	double family_mean;  /* mean length */
	float *family_words; /* BM25 of each family, from 1; NULL: none */
	float *family_count; /* occurrences of the current term */
	float *family_length;
	uint32_t *touched;     /* the families that have the current term */
	float top, family_top; /* the maxima of words and family_words */
};

/* Prepare S for the corpus C. Release it with scores_release(). */
void scores_init(struct scores *s, const struct corpus *c);
void scores_release(struct scores *s);

/* Count the LEN bytes of TERM with WEIGHT times its rarity; if NAMES, in the
 * metadata, too. Documents that have it get BIT. Set *DOCUMENTS to the number
 * of documents that have it in their text, and *WORTH to its final weight.
 * Return 0, or -1 if the corpus fails. */
int scores_add(struct scores *s, const char *term, size_t len, float weight,
	       uint64_t bit, bool names, size_t *documents, float *worth,
	       struct err *e);

/* Call this after all terms and before the functions below; again if there is
 * another MEANING. MEANING, unless
 * NULL, has a value for each document; WEIGHT times it is added to the share
 * that the document's neighbours get. Values below 0 count as 0. */
void scores_finish(struct scores *s, const float *meaning, float weight);

/* Return the rarity of a term that WITH of N documents have. */
float scores_rarity(double n, double with);

/* Return the BM25 of a document of the usual length that has words with the
 * total weight VALUE, each once. */
float scores_usual(const struct scores *s, float value);

float scores_words(const struct scores *s, uint32_t doc);
float scores_near(const struct scores *s, uint32_t doc);
float scores_named(const struct scores *s, uint32_t doc);

/* Return what a turn inherits from the question before it. */
float scores_reply(const struct scores *s, uint32_t doc);

/* Return true if DOC is one turn of a conversation; if it only asks, and the
 * next one informs. */
bool scores_is_turn(const struct scores *s, uint32_t doc);
bool scores_is_answered(const struct scores *s, uint32_t doc);

/* Return the score of DOC's family. If other documents have families, one
 * without is a family of its own, so that having a family is no advantage. */
float scores_parent(const struct scores *s, uint32_t doc);

#endif
