/* instructions.h: the instructions that co mcp gives an agent at the start. */
#ifndef CO_MCP_INSTRUCTIONS_H
#define CO_MCP_INSTRUCTIONS_H

#include "mcp/mcp.h"

/* Append what the tools are for, how many drafts wait, and as much of the
 * always-loaded context as fits, marked (see text/injected.h). The last two are
 * left out if a hook gives them to CLIENT (see struct mcp_era, agent/delivery.h).
 * Errors go to R. */
void mcp_instructions(struct buf *out, const char *client,
		      const struct report *r);

#endif
