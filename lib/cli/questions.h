/* questions.h: the input of --batch: one question per line of standard input,
 * as a JSON object:
 *
 *   {"query":"what","max":5,"kind":"memory","path":"a.c","any_scope":true}
 *
 * Only `query` is required. Each answer ends with a line that holds its exit
 * status.
 */
#ifndef CO_CLI_QUESTIONS_H
#define CO_CLI_QUESTIONS_H

#include "base/arena.h"

struct question {
	const char *query; /* not blank */
	size_t max;	   /* 0: not given */
	const char *kind;  /* a kind of records; NULL: not given */
	const char *path;  /* as for --for-path; NULL: not given */
	bool any_scope;
};

/* Answer Q on standard output. Return true if there is an answer. A is reset
 * after each question. */
typedef bool question_fn(void *ctx, const struct question *q, struct arena *a);

/* Call FN for each question of standard input and end its answer. A malformed
 * question is reported, with the status ERR_DATA. */
void questions_answer(question_fn *fn, void *ctx);

/* The error message for a blank query, and the test for one. */
#define QUESTIONS_NOTHING "expected a query"
bool questions_is_blank(const char *query);

#endif
