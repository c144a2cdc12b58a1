/* explain.h: how an answer came about, for those who wonder. */
#ifndef CO_EXPLAIN_H
#define CO_EXPLAIN_H

#include "answer.h"

/* Append one line for each of the N indexes ALL that was made anew because it
 * was damaged: that must not stay unsaid. */
void explain_damage(struct buf *out, const struct index *all, size_t n);

/* Append lines: MODE; how fresh each index is; each term with its weight and
 * the documents that hold it; each hit with its score, signals and path. */
void explain_answer(struct buf *out, const char *mode, const struct index *all,
		    size_t n, const struct answer *answer);

#endif
