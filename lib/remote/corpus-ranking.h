/* corpus-ranking.h: rank documents that a server has.
 *
 * rank() (see rank/rank.h) ranks them, as it does local ones. So the answer is that of
 * the local index, and the server only looks up rows by their keys. What a ranking
 * needs of the server comes in two round trips: first the columns of the projects and the
 * postings of all terms, then the texts of the best documents.
 */
#ifndef CO_REMOTE_CORPUS_RANKING_H
#define CO_REMOTE_CORPUS_RANKING_H

#include "rank/rank.h"
#include "remote/corpus-columns.h"

struct corpus_ranking;

/* A term, or a document of the project with INDEX. */
struct corpus_word {
	const char *p;
	size_t len;
};
struct corpus_place {
	size_t index;
	uint32_t number;
};

/* The server. The callbacks return 0, or -1 with E set. */
struct corpus_source {
	void *ctx;
	/* Call corpus_ranking_put() for each of the N terms in each project. */
	int (*postings)(void *ctx, struct corpus_ranking *r,
			const struct corpus_word *terms, size_t n,
			struct err *e);
	/* Call corpus_ranking_load() for each of the N documents. */
	int (*documents)(void *ctx, struct corpus_ranking *r,
			 const struct corpus_place *docs, size_t n,
			 struct err *e);
	/* See struct corpus. */
	int (*vocabulary)(void *ctx, corpus_term_fn *fn, void *fn_ctx,
			  struct err *e);
};

/* Return a ranking without projects. Release it with corpus_ranking_free(). */
struct corpus_ranking *corpus_ranking_new(const struct corpus_source *source);
void corpus_ranking_free(struct corpus_ranking *r);

/* Return the *N terms, in A, whose postings ASK needs: those of the question and their
 * other forms. The caller puts these before it ranks; more may be requested then. */
const struct corpus_word *corpus_ranking_words(struct corpus_ranking *r,
					       const struct rank_ask *ask,
					       struct arena *a, size_t *n);

/* Add a project with the LEN bytes of COLUMNS; projects are numbered from 0. Expired
 * documents are left out. Return 0, or -1: ERR_DATA, COLUMNS is malformed. */
int corpus_ranking_project(struct corpus_ranking *r, const char *columns,
			   size_t len, struct err *e);

/* Add the postings P of TERM in the project INDEX. Return 0, or -1: ERR_DATA. */
int corpus_ranking_put(struct corpus_ranking *r, size_t index,
		       struct corpus_word term, struct corpus_word p,
		       struct err *e);

/* Add the document at PLACE, whose JSON is the LEN bytes of BODY. Return 0 or -1. */
int corpus_ranking_load(struct corpus_ranking *r, struct corpus_place place,
			const char *body, size_t len, struct err *e);

/* Fill OUT, in A, with the files that answer ASK. Return 0, or -1. */
int corpus_ranking_run(struct corpus_ranking *r, const struct rank_ask *ask,
		       struct arena *a, struct rank_result *out, struct err *e);

/* Return the number of documents of all projects. */
size_t corpus_ranking_count(const struct corpus_ranking *r);

/* Return the numbers of the *N documents of the project INDEX, ascending; the first of
 * them is the document *FIRST of the corpus. */
const uint32_t *corpus_ranking_numbers(const struct corpus_ranking *r,
				       size_t index, size_t *first, size_t *n);

/* Set *D to the document DOC of a hit, borrowed until the next call, and *INDEX to its
 * project. Return 0 or -1. */
int corpus_ranking_get(struct corpus_ranking *r, uint32_t doc,
		       const struct remote_document **d, size_t *index,
		       struct err *e);

#endif
