/* semantic.h: the similarity of documents to a question in meaning, for
 * answer.h.
 *
 * Nothing here fails. Without a working encoder, ranking uses words only, and
 * `without` says why, in one line for standard error.
 */
#ifndef CO_SEARCH_SEMANTIC_H
#define CO_SEARCH_SEMANTIC_H

#include "embed/vectors.h"
#include "search/answer.h"

/* Documents to compare with a question: COMPARE sets *COSINES of all, 0 for one
 * without a vector, from the vector QUESTION of ENCODER. It returns 0 or -1. */
struct semantic_corpus {
	size_t documents;
	int (*compare)(void *ctx, struct embed *encoder, const float *question,
		       size_t dimension, float *cosines, struct err *e);
	void *ctx;
};

/* A question that is being ranked. */
struct semantic_pending {
	struct semantic_corpus corpus;
	struct arena *arena;
	bool tried; /* `cosines` is set */
	const float *cosines;
};

struct semantic {
	struct answer_semantic how; /* for answer_find() */
	const char *text;	    /* the question as asked */
	bool alone;		    /* rank by meaning only */
	bool only_sentences;	    /* use no encoder but that of sentences */
	pid_t parent;		    /* semantic_update() ends early once this is
				     * not the parent process; 0: never */

	const char *argv0;
	struct embed *encoder;	      /* NULL: none */
	struct embed *other;	      /* for other scripts; NULL: not opened */
	struct word_vectors *words;   /* word frequencies */
	bool sought;		      /* opening them was tried */
	struct buf asked, vector;     /* the last question and its vector */
	const struct embed *asked_of; /* made by */
	struct buf words_asked;	      /* the question being ranked */
	struct semantic_pending pending;
	struct vectors_budget budget; /* left for the last question */
	size_t dimension;
	bool used;	      /* meaning was used in the answer */
	bool reads_sentences; /* by an encoder that is not the static one */
	size_t missing;	      /* documents that have no vector yet */
	float least; /* the cosine that a document must have to be found by
		      * meaning only: that which the nearest would have by
		      * chance, or what sentences about one thing have */
	char without[512]; /* "": nothing is missing */
	struct arena arena;
};

/* Prepare M for MODE (fts|vector|hybrid|sentences): open the encoder of the
 * user's settings (never a project's), or none for fts, or only that of
 * sentences. ARGV0 is that of the program;
 * R gets faults of the settings. M stays at its address until semantic_close().
 * Return 1; 0 if MODE or the settings want no encoder; -1 if it cannot be
 * opened. `without` says so, unless MODE is fts, or MODE is sentences and the
 * settings name another encoder. */
int semantic_open(struct semantic *m, const char *mode, const char *argv0,
		  const struct report *r);
void semantic_close(struct semantic *m);

/* Set the vector fields of ASK for the documents of CORPUS, allocated in A; m->how
 * does that for answer_find(). */
void semantic_fill(struct semantic *m, const struct semantic_corpus *corpus,
		   struct rank_ask *ask, struct arena *a);

/* Set *ALL to the number of documents of IX. Return how many of them have no
 * vector of ENCODER. */
size_t semantic_missing(struct embed *encoder, const struct index *ix,
			size_t *all);

/* Make and store all missing vectors of IX. Set *MADE to their number. Return
 * how many are still missing. */
size_t semantic_update(struct semantic *m, struct index *ix, size_t *made);

/* Append the name of ENCODER, what runs it, how long a question and some
 * documents take, how many vectors the project's store lacks, and how long these
 * would take. If QUERIES and QRELS are not NULL, also make them, and append the
 * figures for the questions of these files, by words only and with ENCODER. This
 * runs co-index-eval(1) from the directory of ARGV0. Return 0, or -1 as
 * embed_texts(), store_open(), index_open() and process_run_helper(). */
int semantic_check(struct embed *encoder, const char *argv0,
		   const char *queries, const char *qrels, struct buf *out,
		   struct err *e);

#endif
