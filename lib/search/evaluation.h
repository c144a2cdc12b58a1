/* evaluation.h: measure a search by questions with known answers.
 *
 * It reads two files of JSON lines. Questions: {"id","text"}, with an optional
 * "cat" for figures by category. Judgements: {"q","d","rel"}: the id of a
 * question, an answer, and whether it is one (rel > 0; default 1). Other keys
 * are ignored. Ids and names are strings or numbers.
 *
 * Judgements are binary, as Recall is. A question without a judgement is
 * ignored.
 */
#ifndef CO_SEARCH_EVALUATION_H
#define CO_SEARCH_EVALUATION_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#define EVALUATION_DEPTH 10 /* how many results are judged */
#define EVALUATION_FILE_MAX ((size_t)64 * 1024 * 1024)

struct golden {
	const char *id, *text, *category, *group; /* category and group may be
						   * NULL */
	const char **answers;
	size_t nanswers; /* at least 1 */
};

struct goldens {
	struct golden *items;
	size_t n;
};

/* Read the questions of the file QUERIES that have answers in the file QRELS,
 * in their order, into A. Return 0, or -1 (ERR_DATA with the place, or
 * ERR_SYSTEM). */
int evaluation_read(struct goldens *g, const char *queries, const char *qrels,
		    struct arena *a, struct err *e);

/* Keep at most N questions, evenly picked. */
void evaluation_pick(struct goldens *g, size_t n);

/* The outcome of one question. */
struct outcome {
	bool hits[EVALUATION_DEPTH]; /* which results answer it */
	double ms;		     /* duration of the search */
};

/* Averages over questions. */
struct evaluation {
	size_t n;
	double recall5, recall10, mrr, ndcg10;
	double p50_ms, p95_ms; /* median, and 95th percentile */
};

/* Compute the figures of the OUTCOMES of G, one for each question. If CATEGORY
 * is not NULL, only of its questions. */
struct evaluation evaluation_run(const struct goldens *g,
				 const struct outcome *outcomes,
				 const char *category);

/* Return true if question I is the first one of its category. */
bool evaluation_opens_category(const struct goldens *g, size_t i);

/* Append V: as text, one figure per line, or in one line for a CATEGORY; or as
 * a JSON object with the MODE of the search. */
void evaluation_text(struct buf *out, const struct evaluation *v,
		     const char *category);
void evaluation_json(struct buf *out, const struct evaluation *v,
		     const char *category, const char *mode);

/* Return 1 if V reaches LEAST, such as recall5:0.8, and 0 if not. *VALUE gets
 * the figure of V. Return -1 (ERR_USAGE) if LEAST is malformed. */
int evaluation_meets(const struct evaluation *v, const char *least,
		     double *value, struct err *e);

#endif
