/* alike.h: the similarity of two texts: the share of their words, stemmed (see
 * terms.h) and counted once, that both have.
 */
#ifndef CO_RANK_ALIKE_H
#define CO_RANK_ALIKE_H

#include "rank/terms.h"

#define ALIKE_LEAST 40 /* per cent; lower similarity is not reported */

/* The words of a text, as sorted distinct hashes. A zeroed one is empty. */
struct alike {
	uint32_t *items;
	size_t n, cap;
};

/* Sort the hashes of W and remove duplicates. */
void alike_sort(struct alike *w);

/* Replace W by the words of the LEN bytes of P. */
void alike_read(struct alike *w, struct terms *t, const char *p, size_t len);

/* Return the similarity of A and B, in per cent. */
int alike_compare(const struct alike *a, const struct alike *b);

/* Call alike_compare(), but stop early, with 0, if the similarity is below LEAST. It
 * stops earliest if the first items of A and B are rarely shared. */
int alike_compare_least(const struct alike *a, const struct alike *b,
			int least);

void alike_release(struct alike *w);

#endif
