/* place.h: where a page of memories ends, in words that a client hands back.
 *
 * Pages go from the highest id down, so that what is saved in between disturbs
 * none, and what is removed is missing, and nothing else.  A place is an id and
 * its store, not a count: it needs no memory of ours, and holds for ever.
 */
#ifndef CO_MCPPLACE_H
#define CO_MCPPLACE_H

#include "repo/root.h"

#define MCPPLACE_TEXT 16

struct mcpplace {
	int64_t id;
	enum scope scope;
};

const char *mcpplace_format(struct mcpplace at, char text[MCPPLACE_TEXT]);

/* False where TEXT is none that mcpplace_format() makes. */
bool mcpplace_parse(struct mcpplace *at, const char *text);

/* How many of the LEN bytes of P, records as `co-knowledge --list --json` prints
 * them, stand before AT. */
size_t mcpplace_before(const char *p, size_t len, struct mcpplace at);

/* Where the last line of the LEN bytes of P begins. */
size_t mcpplace_last(const char *p, size_t len);

#endif
