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

/* Answer Q on standard output. Return true if there is an answer. A is reset
 * after each question. */
typedef bool question_fn(void *ctx, const struct question *q, struct arena *a);

/* The error message for a blank query, and the test for one. */
#define QUESTIONS_NOTHING "expected a query"

#endif
