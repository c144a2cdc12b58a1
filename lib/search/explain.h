/* explain.h: the output of --explain: how a search came to its answer. */
#ifndef CO_SEARCH_EXPLAIN_H
#define CO_SEARCH_EXPLAIN_H

#include "search/recall.h"

/* Append one line for each of the N indexes ALL that was rebuilt because it was
 * damaged. This must always be reported. */
void explain_damage(struct buf *out, const struct index *all, size_t n);

/* Append MODE, the state of each index, and each term with its weight and the
 * number of documents that have it. */
void explain_search(struct buf *out, const char *mode, const struct index *all,
		    size_t n, const struct answer *answer);

/* Append a line for hit I: score, signals and path. */
void explain_hit(struct buf *out, const struct answer *answer, size_t i);

/* Like explain_search() and explain_hit() for all of RECALLED, which may also
 * have memories found only by the literal query. SAY gets the text in pieces
 * and empties it each time. */
void explain_recall(const struct recall *recalled,
		    void (*say)(struct buf *text));

/* Append how R was found by grep in the N STORES. MODE is the requested
 * mode. */
void explain_grep(struct buf *notes, const struct recall *r, const char *mode,
		  const struct store *stores, size_t n);

#endif
