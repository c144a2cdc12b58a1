/* rank.h: the best documents of a corpus for a question.
 *
 * The score is a sum of signals, each between 0 and its weight (weights.h has
 * them, with reasons): the words (BM25), the same of what stands next to the
 * document in its family and of the family as a whole, where the words stand in
 * it (of the best by all else), a tag, title or source that the question names,
 * a time that it says, and nearness in meaning where the caller has it.  Where
 * the best document has less than the whole question, all scores are less by as
 * much, so that they may be compared with those of another question.  Equal
 * scores go to the newer document, then to the higher id.
 */
#ifndef CO_RANK_RANK_H
#define CO_RANK_RANK_H

#include "rank/expansion.h"
#include "rank/query.h"

enum rank_fusion { RANK_LINEAR, RANK_RRF };

struct rank_ask {
	const struct query *query;
	size_t max;			       /* results wanted */
	const struct expansion_ask *expansion; /* NULL: no words but those of
						* the question */
	/* For callers that have vectors; zero is without. */
	const float *cosine; /* of each document, -1 to 1; NULL: none.  One of
			      * 0 or less adds nothing */
	enum rank_fusion fusion;
	bool cosine_alone; /* the order of the cosines, without words */
	float doubt;  /* how much of their weight the cosines lose, 0 to 1 */
	bool telling; /* hits say how much tells, which takes the list of words
		       * of `expansion` */
};

enum rank_signal {
	RANK_WORDS,
	RANK_PLACES,
	RANK_NEIGHBOURS,
	RANK_PARENT,
	RANK_METADATA,
	RANK_TIME,
	RANK_COSINE,
	RANK_NSIGNALS
};

extern const char *const rank_signal_names[RANK_NSIGNALS];

struct rank_hit {
	uint32_t doc;
	float score; /* the sum of the signals; by RANK_RRF, of ranks */
	float signals[RANK_NSIGNALS];
	float coverage; /* the share of the question that it holds, by how
			 * rare its words are, 0 to 1 */
	float telling;	/* how much tells that the question is about this and
			 * is no talk: rare words, in English and here; 0
			 * unless that was asked for */
	float cosine;	/* 0 where the caller has none */
	uint32_t words; /* of the question's, how many it holds itself */
	bool partial;	/* not all, or not the phrase that is asked for */
};

/* What was looked for: the terms of the question, and behind them those beside
 * and instead of them. */
struct rank_term {
	const char *p; /* NUL-terminated */
	size_t len;
	size_t documents; /* that hold it in their text */
	float weight;	  /* what it counts, its rarity included */
	const char *of;	  /* the word that it stands for; NULL: itself */
	bool instead;	  /* of one that no document holds */
};

struct rank_result {
	struct rank_hit *hits; /* best first */
	size_t n;
	size_t nwhole, npartial; /* documents that hold all words, or some */
	size_t words;		 /* of the question */
	struct rank_term *terms;
	size_t nterms;
};

/* Fill OUT, which lives in A.  Fails only where the corpus does. */
int rank(const struct corpus *c, const struct rank_ask *ask, struct arena *a,
	 struct rank_result *out, struct err *e);

#endif
