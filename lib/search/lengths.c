/* lengths.c: packed as triples of numbers, 7 bits per byte, lowest first: the
 * difference to the number before, the terms, and the traits. That is usually
 * four bytes per document.
 */
#include "search/lengths.h"

#include "base/mem.h"

void lengths_add(struct lengths *l, uint32_t number, uint32_t terms,
		 uint32_t traits)
{
	l->items = mem_grow(l->items, l->n, &l->cap, sizeof(*l->items));
	l->items[l->n++] = (struct length){number, terms, traits};
}

static void put_number(struct buf *out, uint32_t n)
{
	for (; n >= 0x80; n >>= 7)
		buf_addc(out, (char)(n | 0x80));
	buf_addc(out, (char)n);
}

void lengths_pack(const struct lengths *l, size_t from, struct buf *out)
{
	uint32_t before = from ? l->items[from - 1].number : 0;

	for (size_t i = from; i < l->n; i++) {
		put_number(out, l->items[i].number - before);
		put_number(out, l->items[i].terms);
		put_number(out, l->items[i].traits);
		before = l->items[i].number;
	}
}

/* Read a number at *P and advance *P. Return false if there is none. */
static bool get_number(const unsigned char **p, const unsigned char *end,
		       uint32_t *out)
{
	*out = 0;
	for (int shift = 0; *p < end && shift < 35; shift += 7) {
		const unsigned char c = *(*p)++;

		*out |= (uint32_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return true;
	}
	return false;
}

bool lengths_unpack(struct lengths *l, const void *p, size_t len)
{
	const unsigned char *at = p, *const end = at + len;
	uint32_t before = l->n ? l->items[l->n - 1].number : 0;

	while (at < end) {
		uint32_t step, terms, traits;

		if (!get_number(&at, end, &step) ||
		    !get_number(&at, end, &terms) ||
		    !get_number(&at, end, &traits) || !step ||
		    step > UINT32_MAX - before)
			return false;
		before += step;
		lengths_add(l, before, terms, traits);
	}
	return true;
}

void lengths_release(struct lengths *l)
{
	free(l->items);
	*l = (struct lengths){0};
}
