/* place.h: where a page of memories ends, in words that a client hands back.
 *
 * Pages go from the highest id down, so that what is saved in between disturbs
 * none, and what is removed is missing, and nothing else.  A place is an id and
 * its store, not a count: it needs no memory of ours, and holds for ever.
 */
#ifndef CO_MCP_PLACE_H
#define CO_MCP_PLACE_H

#include "repo/root.h"

#define MCP_PLACE_TEXT 16

struct mcp_place {
	int64_t id;
	enum scope scope;
};

const char *mcp_place_format(struct mcp_place at, char text[MCP_PLACE_TEXT]);

/* False where TEXT is none that mcp_place_format() makes. */
bool mcp_place_parse(struct mcp_place *at, const char *text);

/* How many of the LEN bytes of P, records as `co-knowledge --list --json` prints
 * them, stand before AT. */
size_t mcp_place_before(const char *p, size_t len, struct mcp_place at);

/* Where the last line of the LEN bytes of P begins. */
size_t mcp_place_last(const char *p, size_t len);

#endif
