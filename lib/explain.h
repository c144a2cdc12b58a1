/* explain.h: how an answer came about, for those who wonder. */
#ifndef CO_EXPLAIN_H
#define CO_EXPLAIN_H

#include "answer.h"

/* Append one line for each of the N indexes ALL that was made anew because it
 * was damaged: that must not stay unsaid. */
void explain_damage(struct buf *out, const struct index *all, size_t n);

/* Append lines: MODE; how fresh each index is; each term with its weight and
 * the documents that hold it. */
void explain_search(struct buf *out, const char *mode, const struct index *all,
		    size_t n, const struct answer *answer);

/* Append lines: each hit with its score, signals and path. */
void explain_hits(struct buf *out, const struct answer *answer);

/* The same of SHOWN, which are hits, or memories that hold the query as it
 * stands: that adds to the score. */
void explain_shown(struct buf *out, const struct answer *answer,
		   const struct records *shown);

#endif
