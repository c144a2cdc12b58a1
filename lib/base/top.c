/* top.c: see top.h. */
#include "base/top.h"

static void swap_items(const struct top *t, char *a, char *b)
{
	char was[TOP_ITEM_MAX];

	memcpy(was, a, t->size);
	memcpy(a, b, t->size);
	memcpy(b, was, t->size);
}

void top_added(const struct top *t, void *items, size_t n)
{
	for (size_t i = n - 1, above; i; i = above) {
		char *at = (char *)items + i * t->size, *over;

		above = (i - 1) / 2;
		over = (char *)items + above * t->size;
		if (t->compare(t->ctx, over, at) >= 0)
			return;
		swap_items(t, over, at);
	}
}

void top_replaced(const struct top *t, void *items, size_t n)
{
	char *at = items, *worst;

	for (size_t i = 0, next;; i = next, at = worst) {
		worst = at;
		for (size_t k = next = 2 * i + 1; k < 2 * i + 3 && k < n; k++) {
			char *below = (char *)items + k * t->size;

			if (t->compare(t->ctx, worst, below) >= 0)
				continue;
			worst = below;
			next = k;
		}
		if (worst == at)
			return;
		swap_items(t, worst, at);
	}
}

void top_sort(const struct top *t, void *items, size_t n)
{
	while (n > 1) {
		n--;
		swap_items(t, items, (char *)items + n * t->size);
		top_replaced(t, items, n);
	}
}
