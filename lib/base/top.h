/* top.h: the best N of many items, as a heap in the caller's array.
 *
 * The first item is the worst of those kept. Comparing a new item with it
 * decides whether the new one replaces it.
 */
#ifndef CO_BASE_TOP_H
#define CO_BASE_TOP_H

#include "base/base.h"

#define TOP_ITEM_MAX 64 /* bytes */

struct top {
	size_t size; /* of an item, at most TOP_ITEM_MAX */
	/* Return below 0 if A is better. */
	int (*compare)(void *ctx, void *a, void *b);
	void *ctx;
};

/* Restore the heap ITEMS of N items after the caller appended the last item or
 * replaced the first. */
void top_added(const struct top *t, void *items, size_t n);
void top_replaced(const struct top *t, void *items, size_t n);

/* Sort the heap ITEMS of N items, best first. It is not a heap afterwards. */
void top_sort(const struct top *t, void *items, size_t n);

#endif
