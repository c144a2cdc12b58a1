/* explain.h: what --explain prints: how a search came to its answer. */
#ifndef CO_SEARCH_EXPLAIN_H
#define CO_SEARCH_EXPLAIN_H

#include "search/recall.h"

/* Append one line for each of the N indexes ALL that was made anew because it
 * was damaged: that must not stay unsaid. */
void explain_damage(struct buf *out, const struct index *all, size_t n);

/* Append lines: MODE; how fresh each index is; each term with its weight and
 * the documents that hold it. */
void explain_search(struct buf *out, const char *mode, const struct index *all,
		    size_t n, const struct answer *answer);

/* Append a line: hit I with its score, signals and path. */
void explain_hit(struct buf *out, const struct answer *answer, size_t i);

/* Both for what was RECALLED by an index, which are hits, or memories that hold
 * the query as it stands: that adds to the score.  SAY gets the text, piece by
 * piece, and empties it. */
void explain_recall(const struct recall *recalled,
		    void (*say)(struct buf *text));

/* Append how R was found by grep in the N STORES, MODE being what was asked
 * for. */
void explain_grep(struct buf *notes, const struct recall *r, const char *mode,
		  const struct store *stores, size_t n);

#endif
