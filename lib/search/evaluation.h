/* evaluation.h: how good a search is, by questions whose answers are known.
 *
 * Two files of JSON lines.  Questions: {"id","text"} and, if wanted, "cat", by
 * which figures are also kept apart.  Judgements: {"q","d","rel"}: the id of a
 * question, what answers it, and whether it does (rel > 0, 1 if absent).  Other
 * keys are ignored; ids and names may be strings or numbers.
 *
 * Judgements are binary, as Recall is; a question without one counts nowhere.
 */
#ifndef CO_SEARCH_EVALUATION_H
#define CO_SEARCH_EVALUATION_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#define EVALUATION_DEPTH 10 /* of the results, how many are looked at */
#define EVALUATION_FILE_MAX ((size_t)64 * 1024 * 1024)

struct golden {
	const char *id, *text, *category, *group; /* the last two may be NULL */
	const char **answers;
	size_t nanswers; /* at least 1 */
};

struct goldens {
	struct golden *items;
	size_t n;
};

/* Read the questions of the file QUERIES that the file QRELS answers, in the
 * order of the first; they live in A.  ERR_DATA with place; ERR_SYSTEM. */
int evaluation_read(struct goldens *g, const char *queries, const char *qrels,
		    struct arena *a, struct err *e);

/* Keep at most N of the questions, evenly picked. */
void evaluation_pick(struct goldens *g, size_t n);

/* What came of a question. */
struct outcome {
	bool hits[EVALUATION_DEPTH]; /* which of the results answer it */
	double ms;		     /* how long it took */
};

/* Means over questions. */
struct evaluation {
	size_t n;
	double recall5, recall10, mrr, ndcg10;
	double p50_ms, p95_ms; /* half of the questions took less; 95 of 100 */
};

/* Evaluate the OUTCOMES of G, of the same number; only of the questions of
 * CATEGORY if it is not NULL. */
struct evaluation evaluation_run(const struct goldens *g,
				 const struct outcome *outcomes,
				 const char *category);

/* True if the question at I is the first of its category, and has one. */
bool evaluation_opens_category(const struct goldens *g, size_t i);

/* Append V: a line a figure, or one for all where CATEGORY names what they are
 * of; or as a JSON object, with the MODE of the search. */
void evaluation_text(struct buf *out, const struct evaluation *v,
		     const char *category);
void evaluation_json(struct buf *out, const struct evaluation *v,
		     const char *category, const char *mode);

/* 1 if V meets LEAST, recall5:0.8 say, 0 if not.  ERR_USAGE: no such figure,
 * or no value; *VALUE gets what V has. */
int evaluation_meets(const struct evaluation *v, const char *least,
		     double *value, struct err *e);

#endif
