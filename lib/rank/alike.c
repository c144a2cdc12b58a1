/* alike.c: words are a sorted array of hashes, so comparing two texts is one
 * pass through both arrays.
 */
#include "rank/alike.h"

#include "base/hash.h"
#include "base/mem.h"

#define EVEN_MAX 1024

static int by_value(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Sort at most EVEN_MAX hashes: first by the first byte, which is evenly
 * distributed, so that each is then near its final place. */
static void sort_even(uint32_t *items, size_t n)
{
	uint32_t sorted[EVEN_MAX];
	size_t at[256] = {0}, sum = 0, k;

	for (size_t i = 0; i < n; i++)
		at[items[i] >> 24]++;
	for (size_t i = 0; i < ARRAY_LEN(at); i++) {
		const size_t count = at[i];

		at[i] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		sorted[at[items[i] >> 24]++] = items[i];
	for (size_t i = 0; i < n; i++) {
		for (k = i; k && items[k - 1] > sorted[i]; k--)
			items[k] = items[k - 1];
		items[k] = sorted[i];
	}
}

void alike_sort(struct alike *w)
{
	size_t n = 0;

	if (w->n > EVEN_MAX)
		qsort(w->items, w->n, sizeof(*w->items), by_value);
	else
		sort_even(w->items, w->n);
	for (size_t i = 0; i < w->n; i++) {
		if (!n || w->items[n - 1] != w->items[i])
			w->items[n++] = w->items[i];
	}
	w->n = n;
}

static int add_word_hash(void *ctx, const struct term *t)
{
	struct alike *w = ctx;

	if (t->colocated)
		return 0;
	*MEM_ADD(w->items, w->n, w->cap) =
		(uint32_t)hash_bytes(t->p, t->len, 0);
	return 0;
}

void alike_read(struct alike *w, struct terms *t, const char *p, size_t len)
{
	w->n = 0;
	terms_each(t, p, len, add_word_hash, w);
	alike_sort(w);
}

/* Return the similarity of A and B, in per cent; 0 if more than MOST words are in
 * one of them only. */
static inline int compare(const struct alike *a, const struct alike *b,
			  size_t most)
{
	size_t i = 0, k = 0, both = 0;

	while (i < a->n && k < b->n) {
		const uint32_t x = a->items[i], y = b->items[k];

		both += x == y;
		i += x <= y;
		k += y <= x;
		if (i + k - 2 * both > most)
			return 0;
	}
	return a->n + b->n ? (int)(both * 100 / (a->n + b->n - both)) : 0;
}

int alike_compare(const struct alike *a, const struct alike *b)
{
	return compare(a, b, SIZE_MAX);
}

int alike_compare_least(const struct alike *a, const struct alike *b, int least)
{
	const size_t n = a->n + b->n, percent = (size_t)least;

	/* BOTH words in both are LEAST per cent of N - BOTH, or more. */
	const size_t both = (n * percent + percent + 99) / (percent + 100);

	return compare(a, b, n > 2 * both ? n - 2 * both : 0);
}

void alike_release(struct alike *w)
{
	free(w->items);
	*w = (struct alike){0};
}
