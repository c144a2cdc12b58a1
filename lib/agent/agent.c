/* agent.c: see agent.h. */
#include "agent/agent.h"

const char *agent_name(enum agent agent)
{
	static const char *const names[AGENTS] = {
		[AGENT_CLAUDE] = "claude", [AGENT_CODEX] = "codex",
		[AGENT_GEMINI] = "gemini", [AGENT_OPENCODE] = "opencode",
		[AGENT_QWEN] = "qwen",	   [AGENT_COPILOT] = "copilot",
		[AGENT_CURSOR] = "cursor", [AGENT_CONTINUE] = "continue",
	};

	return names[agent];
}

bool agent_find(const char *name, enum agent *agent)
{
	for (int i = 0; i < AGENTS; i++) {
		if (strcmp(agent_name((enum agent)i), name) == 0) {
			*agent = (enum agent)i;
			return true;
		}
	}
	return false;
}

bool agent_has_hooks(enum agent agent)
{
	return agent < AGENT_CURSOR;
}
