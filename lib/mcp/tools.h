/* tools.h: the tools of co mcp that read.
 *
 * A tool has the suite's programs do the work, and answers with what they
 * printed.  What fails is one failed call: its answer says why, in words that the
 * agent can act on.
 */
#ifndef CO_MCP_TOOLS_H
#define CO_MCP_TOOLS_H

#include "mcp/mcp.h"

/* Serve the checked call C of a tool that recalls, of one whose command prints
 * records in the order of their ids, or of one that shows one memory or article. */
void mcp_tools_recall(struct mcp *m, struct mcp_call *c);
void mcp_tools_list(struct mcp *m, struct mcp_call *c);
void mcp_tools_show(struct mcp *m, struct mcp_call *c);

/* Have the memory ID of one store printed as a record, and go on with THEN. */
void mcp_tools_show_memory(struct mcp *m, struct mcp_call *c, int64_t id,
			   bool global, mcp_call_fn *then);

/* Behind that: has the store such a memory, though it is not for agents? */
bool mcp_tools_shown(const struct mcp *m);

/* Have the article FILE printed as a record, and go on with THEN: the project's or
 * else the user's, or that of SCOPE alone, "project" or "global", unless it is
 * NULL.  Where there is none, nothing is printed. */
void mcp_tools_show_article(struct mcp *m, struct mcp_call *c, const char *file,
			    const char *scope, mcp_call_fn *then);

#endif
