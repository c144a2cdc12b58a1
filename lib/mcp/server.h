/* server.h: the loop of co mcp, and which function answers which method. */
#ifndef CO_MCP_SERVER_H
#define CO_MCP_SERVER_H

#include "mcp/mcp.h"

/* Serve M, whose frame, folder and report are set, until its input ends (0), a
 * byte can be read from the descriptor SIGNALS (0), or nobody reads its output
 * (-1).  What is to be kept is done first. */
int mcp_server_run(struct mcp *m, int signals);

/* Take one line, as mcp_server_run() does; for tests. */
void mcp_server_line(struct mcp *m, char *p, size_t len);

#endif
