/* alike.h: how alike two texts are: by the share of their words that both have,
 * stemmed (see terms.h) and each counted once.
 */
#ifndef CO_RANK_ALIKE_H
#define CO_RANK_ALIKE_H

#include "rank/terms.h"

#define ALIKE_LEAST 40 /* per cent that are told of */

/* The words of a text, as hashes in order, each once; a zeroed one has none. */
struct alike {
	uint32_t *items;
	size_t n, cap;
};

/* Put the hashes of W in order, each once. */
void alike_sort(struct alike *w);

/* Replace W by the words of the LEN bytes of P. */
void alike_read(struct alike *w, struct terms *t, const char *p, size_t len);

/* How alike A and B are, in per cent. */
int alike_compare(const struct alike *a, const struct alike *b);

void alike_release(struct alike *w);

#endif
