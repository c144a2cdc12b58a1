/* mcp-shown.c: an agent is known by the beginning of the name of its client, as
 * claude-code; other clients are noted by their names.
 */
#include "mcp/mcp.h"

const struct agent *mcp_shown_agent(const char *client)
{
	const struct agent *agent;

	for (size_t i = 0; (agent = agent_at(i)); i++) {
		if (!strncmp(client, agent->name, strlen(agent->name)))
			return agent;
	}
	return NULL;
}

const char *mcp_shown_session(const struct agent *agent)
{
	return agent && agent->session_variable
		       ? getenv(agent->session_variable)
		       : NULL;
}

void mcp_shown_note(const char *client, const struct shown *s)
{
	const struct agent *agent = mcp_shown_agent(client);
	struct shown whole = *s;

	whole.agent = agent ? agent->name : *client ? client : "-";
	whole.session = mcp_shown_session(agent);
	shown_note(&whole);
}
