/* resources.h: what co mcp offers to read: resources, prompts, completion. */
#ifndef CO_MCP_RESOURCES_H
#define CO_MCP_RESOURCES_H

#include "mcp/mcp.h"

/* Serve the method for C. Answer at once if the call is wrong or needs no program,
 * else queue it. */
void mcp_resources_list(struct mcp *m, struct mcp_call *c); /* resources/list */
void mcp_resources_read(struct mcp *m, struct mcp_call *c); /* resources/read */
void mcp_resources_prompt(struct mcp *m, struct mcp_call *c); /* prompts/get */
void mcp_resources_complete(struct mcp *m,
			    struct mcp_call *c); /* completion/... */

#endif
