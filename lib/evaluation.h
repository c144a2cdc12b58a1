/* evaluation.h: how good a search is, by questions whose answers are known.
 *
 * Two files of JSON lines.  Questions: {"id","text"} and, if wanted, "cat", by
 * which figures are also kept apart.  Judgements: {"q","d","rel"}: the id of a
 * question, what answers it, and whether it does (rel > 0, 1 if absent).  Other
 * keys are ignored; ids and names may be strings or numbers.
 *
 * Judgements are binary, as Recall is; a question without one counts nowhere.
 */
#ifndef CO_EVALUATION_H
#define CO_EVALUATION_H

#include "err.h"
#include "mem.h"

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
int goldens_read(struct goldens *g, const char *queries, const char *qrels,
		 struct arena *a, struct err *e);

/* Sums over questions; divided by n, they are means. */
struct evaluation {
	size_t n;
	double recall5, recall10, mrr, ndcg;
	double *ms; /* how long each question took */
	size_t cap;
};

/* Count a question with NANSWERS answers, of which HIT tells the places, and
 * that took MS; at most EVALUATION_DEPTH of its NHITS are looked at. */
void evaluation_add(struct evaluation *v, const bool *hit, size_t nhits,
		    size_t nanswers, double ms);

/* The time below which SHARE (0 to 1) of the questions lie. */
double evaluation_ms(struct evaluation *v, double share);

void evaluation_release(struct evaluation *v);

#endif
