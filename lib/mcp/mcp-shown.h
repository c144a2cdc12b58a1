/* mcp-shown.h: note in the ledger of shown/shown.h what the server shows. */
#ifndef CO_MCP_MCP_SHOWN_H
#define CO_MCP_MCP_SHOWN_H

#include "agent/agent.h"
#include "shown/shown.h"

/* Return the agent whose client has the name CLIENT, or NULL. */
const struct agent *mcp_shown_agent(const char *client);

/* Return the id of the session of AGENT that runs the server, from the environment,
 * or NULL. */
const char *mcp_shown_session(const struct agent *agent);

/* Note that S, which has no agent and no session yet, was shown to CLIENT. */
void mcp_shown_note(const char *client, const struct shown *s);

#endif
