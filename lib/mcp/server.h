/* server.h: the loop of co mcp, and the table of its methods. */
#ifndef CO_MCP_SERVER_H
#define CO_MCP_SERVER_H

#include "mcp/mcp.h"

/* Serve M, whose frame, folder and report are set. Return 0 when its input ends
 * or SIGNALS becomes readable, -1 if its output is closed. Changes that were
 * accepted are finished first. */
int mcp_server_run(struct mcp *m, int signals);

/* Process one line as mcp_server_run() does; for tests. */
void mcp_server_line(struct mcp *m, char *p, size_t len);

#endif
