/* places.h: the gain of a document by the places of the question's words in it.
 *
 * Adjacent words of the question, without stop words, belong together if a text
 * has them near each other. Also, a text begins with what it is about. Both
 * gains are shares of the words' rarity, see weights.h. Substitutes for words
 * have no place, nor have words in URLs.
 */
#ifndef CO_RANK_PLACES_H
#define CO_RANK_PLACES_H

#include "rank/query.h"

#define PLACES_BYTES_MAX ((size_t)16 * 1024) /* of a text, at most */

struct places;

/* Return a state for the terms of Q, which is borrowed. RARITY has the rarity
 * of each. Release it with places_free(). */
struct places *places_new(const struct query *q, const float *rarity);
void places_free(struct places *p);

/* Return the gain, 0 or more, of the LEN bytes of TEXT with LENGTH terms. */
float places_gain(struct places *p, const char *text, size_t len,
		  uint32_t length);

#endif
