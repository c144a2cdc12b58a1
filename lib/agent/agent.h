/* agent.h: the agents' programs that the suite works with by name. */
#ifndef CO_AGENT_AGENT_H
#define CO_AGENT_AGENT_H

#include "base/base.h"

enum agent {
	AGENT_CLAUDE,
	AGENT_CODEX,
	AGENT_GEMINI,
	AGENT_OPENCODE,
	AGENT_QWEN,
	AGENT_COPILOT,
	AGENT_CURSOR, /* this and the next have files alone, no hooks */
	AGENT_CONTINUE
};
#define AGENTS 8

/* Their names, for synopses: of those with hooks, and of all. */
#define AGENT_WITH_HOOKS "claude|codex|gemini|opencode|qwen|copilot"
#define AGENT_NAMES AGENT_WITH_HOOKS "|cursor|continue"

/* "claude", "codex", ... */
const char *agent_name(enum agent agent);

/* True if NAME is one's name; *AGENT gets it. */
bool agent_find(const char *name, enum agent *agent);

/* True if AGENT tells co hook of the events of a session. */
bool agent_has_hooks(enum agent agent);

#endif
