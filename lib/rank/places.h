/* places.h: what a document gains by where the words of a question stand in it.
 *
 * Words that stand side by side in the question, stop words aside, belong
 * together where a text has them near to each other; and what a text says first
 * it is about.  Both are worth shares of how rare the words are: see weights.h.
 * Words that stand in for others have no place.
 */
#ifndef CO_RANK_PLACES_H
#define CO_RANK_PLACES_H

#include "rank/query.h"

#define PLACES_BYTES_MAX ((size_t)16 * 1024) /* of a text; the rest has none */

struct places;

/* The terms of Q, which stays; RARITY is how rare each is.  Release with
 * places_free(). */
struct places *places_new(const struct query *q, const float *rarity);
void places_free(struct places *p);

/* What LEN bytes of TEXT, of LENGTH terms, gain; 0 and more. */
float places_gain(struct places *p, const char *text, size_t len,
		  uint32_t length);

#endif
