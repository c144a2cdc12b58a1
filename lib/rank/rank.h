/* rank.h: find the best documents of a corpus for a question.
 *
 * The score is a sum of signals (weights.h has their weights and reasons): the
 * words (BM25), those of its neighbours in the family and of the whole family, the
 * places of the words (only for the documents that are best by the rest), a tag,
 * title or source that the question names, a time that it mentions, what the
 * document tells (a time or a name that the question asks for; of its speaker; the
 * reply to the turn before it; less if it only asks), and similarity in meaning if
 * the caller has vectors.
 *
 * If the best document has less than the whole question, all signals but the
 * cosines of `find_cosines` are reduced accordingly, so that scores of different
 * questions are comparable. Equal scores are ordered by date, newest first, then by
 * id, highest first.
 *
 * Who makes a corpus needs corpus.h, which this header includes, with families.h and
 * traits.h.
 */
#ifndef CO_RANK_RANK_H
#define CO_RANK_RANK_H

#include "rank/expansion.h"
#include "rank/query.h"
#include "text/color.h"

struct rank_ask {
	const struct query *query;
	size_t max;			       /* results wanted */
	const struct expansion_ask *expansion; /* NULL: only the words of the
					        * question */
	/* For callers with vectors, else 0. */
	const float *cosine; /* of each document, -1 to 1; NULL: none. Values of
			      * 0 or less count as 0 */
	/* Called with FIND_CTX, if it is not NULL, once all is ranked by words
	 * and the best hit covers less than WEIGHT_WHOLE of the question.
	 * Returns what `cosine` would be, for an encoder that reads sentences;
	 * NULL: none. */
	const float *(*find_cosines)(void *ctx);
	void *find_ctx;
	bool cosine_alone; /* order by cosine only, without words */
	float doubt;	   /* reduces the weight of `cosine`, 0 to 1 */
	bool telling;	   /* set `telling` of hits; needs the word list of
		       * `expansion` */
};

enum rank_signal {
	RANK_WORDS,
	RANK_PLACES,
	RANK_NEIGHBOURS,
	RANK_PARENT,
	RANK_METADATA,
	RANK_TIME,
	RANK_DATED,
	RANK_NAMES,
	RANK_SPEAKER,
	RANK_REPLY,
	RANK_ASKS, /* negative */
	RANK_COSINE,
	RANK_NSIGNALS
};

extern const char *const rank_signal_names[RANK_NSIGNALS];

struct rank_hit {
	uint32_t doc;
	float score; /* sum of the signals */
	float signals[RANK_NSIGNALS];
	float coverage; /* share of the question that it has, by the rarity of
			 * words, 0 to 1 */
	float telling;	/* evidence that the question is about this: words that
			 * are rare in English and here; 0 unless requested */
	float cosine;	/* 0 without vectors */
	uint32_t words; /* how many words of the question it has */
	bool partial;	/* not all words, or not the required phrase */
};

/* The terms used: those of the question, then the additional ones. */
struct rank_term {
	const char *p; /* NUL-terminated */
	size_t len;
	size_t documents; /* with the term in their text */
	float weight;	  /* with its rarity */
	const char *of;	  /* the word it is a form of or a substitute for; NULL:
			   * itself */
	bool instead;	  /* substitute for a word that no document has */
};

struct rank_result {
	struct rank_hit *hits; /* best first */
	size_t n;
	size_t nwhole, npartial; /* documents with all words, or with some */
	size_t words;		 /* of the question */
	struct rank_term *terms;
	size_t nterms;
};

/* Fill OUT, in A. Return 0, or -1 if the corpus fails. */
int rank(const struct corpus *c, const struct rank_ask *ask, struct arena *a,
	 struct rank_result *out, struct err *e);

/* Like rank(), but only the best section of each article is a hit. */
int rank_files(const struct corpus *c, const struct rank_ask *ask,
	       struct arena *a, struct rank_result *out, struct err *e);

/* The part of a text that answers a query, in an arena. */
struct snippet {
	const char *text;    /* one line, with ... where text is left out */
	const char *matches; /* as JSON, where the matching words begin and end
			      * in TEXT, in bytes: [[4,9],[12,20]] */
};

/* Return the 32 words of P with the most terms of Q, in A. */
struct snippet rank_snippet(const char *p, size_t len, const struct query *q,
			    struct arena *a);

/* Add the words of P that match Q as COLOR_MATCH. */
void rank_snippet_spans(struct spans *out, const char *p, size_t len,
			const struct query *q);

#endif
