/* instructions.h: the instructions that co mcp gives an agent at the start. */
#ifndef CO_MCP_INSTRUCTIONS_H
#define CO_MCP_INSTRUCTIONS_H

#include "mcp/mcp.h"

/* Append what the tools are for, how many drafts wait, and of the always-loaded
 * context what fits, marked (see text/injected.h); neither of these where a
 * hook tells CLIENT (see struct mcp_era, agent/delivery.h).  What is wrong goes
 * to R. */
void mcp_instructions(struct buf *out, const char *client,
		      const struct report *r);

#endif
