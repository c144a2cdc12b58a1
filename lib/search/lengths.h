/* lengths.h: the number of terms of each document, its traits, and the packed
 * form of both. */
#ifndef CO_SEARCH_LENGTHS_H
#define CO_SEARCH_LENGTHS_H

#include "base/buf.h"

struct length {
	uint32_t number; /* of the document */
	uint32_t terms;
	uint32_t traits; /* see rank/traits.h */
};

/* Sorted by number. A zeroed one is empty. */
struct lengths {
	struct length *items;
	size_t n, cap;
};

/* Add a document; NUMBER is above all others. */
void lengths_add(struct lengths *l, uint32_t number, uint32_t terms,
		 uint32_t traits);

/* Append to OUT the packed lengths from index FROM on. Those packed later from
 * the next index on may be appended. */
void lengths_pack(const struct lengths *l, size_t from, struct buf *out);

/* Add the LEN packed bytes of P after those of L. Return false if they are
 * malformed. */
bool lengths_unpack(struct lengths *l, const void *p, size_t len);

void lengths_release(struct lengths *l);

#endif
