/* tools.h: the tools of co mcp that read.
 *
 * A tool runs programs of the suite and answers with what they print. A failure is
 * one failed call: its answer gives the reason in words that help the agent.
 */
#ifndef CO_MCP_TOOLS_H
#define CO_MCP_TOOLS_H

#include "mcp/mcp.h"

/* Serve the checked call C of a tool that recalls, of one whose command prints
 * records by id, or of one that shows one memory or article. */
void mcp_tools_recall(struct mcp *m, struct mcp_call *c);
void mcp_tools_list(struct mcp *m, struct mcp_call *c);
void mcp_tools_show(struct mcp *m, struct mcp_call *c);

/* Let a program print the memory ID of one store as a record, then call THEN. */
void mcp_tools_show_memory(struct mcp *m, struct mcp_call *c, int64_t id,
			   bool global, mcp_call_fn *then);

/* After mcp_tools_show_memory(): return true if the store has that memory, but it
 * is not for agents. */
bool mcp_tools_shown(const struct mcp *m);

/* Let a program print the article FILE as a record, then call THEN. It is the
 * project's, else the user's; or, unless SCOPE is NULL, only that of SCOPE,
 * "project" or "global". If there is none, nothing is printed. */
void mcp_tools_show_article(struct mcp *m, struct mcp_call *c, const char *file,
			    const char *scope, mcp_call_fn *then);

#endif
