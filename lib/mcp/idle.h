/* idle.h: make the vectors that documents lack while no call is served.
 *
 * A question makes a few itself, since somebody waits for its answer. A program with
 * the lowest priority makes the others, and continues while calls are served. It ends
 * with the server; the vectors that it has written stay.
 */
#ifndef CO_MCP_IDLE_H
#define CO_MCP_IDLE_H

#include "mcp/mcp.h"

/* Return how long to wait at most before mcp_idle_look(), in ms; -1 without a
 * limit. */
int mcp_idle_patience(const struct mcp *m);

/* Start the program if it is time, and see whether it has ended. */
void mcp_idle_look(struct mcp *m);

#endif
