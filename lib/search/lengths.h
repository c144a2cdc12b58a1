/* lengths.h: how many terms each document has, and the same in few bytes. */
#ifndef CO_SEARCH_LENGTHS_H
#define CO_SEARCH_LENGTHS_H

#include "base/buf.h"

struct length {
	uint32_t number; /* of the document */
	uint32_t terms;
};

/* By number, each higher than the one before; a zeroed one is empty. */
struct lengths {
	struct length *items;
	size_t n, cap;
};

/* Add a document; its NUMBER is above all others.  Cannot fail. */
void lengths_add(struct lengths *l, uint32_t number, uint32_t terms);

/* Append those from the index FROM on to OUT; what is packed from there on
 * may be appended to it. */
void lengths_pack(const struct lengths *l, size_t from, struct buf *out);

/* Add those that LEN bytes of P hold, packed behind those of L.  False if they
 * are not what lengths_pack() made. */
bool lengths_unpack(struct lengths *l, const void *p, size_t len);

void lengths_release(struct lengths *l);

#endif
