/* questions.h: the questions of --batch, a line each of standard input, as a JSON
 * object: {"query":"what","max":5,"kind":"memory","path":"a.c","any_scope":true}, of
 * which all but the first may be missing.  Each answer ends with a line that has its
 * status alone.
 */
#ifndef CO_CLI_QUESTIONS_H
#define CO_CLI_QUESTIONS_H

#include "base/arena.h"

struct question {
	const char *query; /* it asks for something */
	size_t max;	   /* 0: it does not say */
	const char *kind;  /* a kind of records, NULL: it does not say */
	const char *path;  /* as --for-path, NULL: it does not say */
	bool any_scope;
};

/* Answer Q on standard output: true if there is an answer.  A is for this
 * question. */
typedef bool question_fn(void *ctx, const struct question *q, struct arena *a);

/* Call FN for each question there is, and end its answer.  What is no question is
 * complained of, and its status is ERR_DATA. */
void questions_answer(question_fn *fn, void *ctx);

/* What is said of a question that asks for nothing; true of one. */
#define QUESTIONS_NOTHING "expected a query"
bool questions_is_blank(const char *query);

#endif
