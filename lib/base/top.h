/* top.h: the best of many, as a heap in an array of the caller's.
 *
 * The first item is the worst of those kept, so that one look at it tells
 * whether another is to take its place.
 */
#ifndef CO_BASE_TOP_H
#define CO_BASE_TOP_H

#include "base/base.h"

#define TOP_ITEM_MAX 64 /* bytes */

struct top {
	size_t size; /* of an item, at most TOP_ITEM_MAX */
	/* Below 0 where A is the better. */
	int (*compare)(void *ctx, void *a, void *b);
	void *ctx;
};

/* Bring ITEMS, a heap but for its last, or its first item, in order again. */
void top_added(const struct top *t, void *items, size_t n);
void top_replaced(const struct top *t, void *items, size_t n);

/* Sort the heap ITEMS, the best first. */
void top_sort(const struct top *t, void *items, size_t n);

#endif
