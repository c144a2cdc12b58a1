/* agent.h: the agents' programs that the suite works with by name. */
#ifndef CO_AGENT_AGENT_H
#define CO_AGENT_AGENT_H

#include "base/base.h"

enum agent { AGENT_CLAUDE, AGENT_CODEX, AGENT_GEMINI, AGENT_OPENCODE };
#define AGENTS 4

/* "claude", "codex", "gemini", "opencode". */
const char *agent_name(enum agent agent);

/* True if NAME is one's name; *AGENT gets it. */
bool agent_find(const char *name, enum agent *agent);

/* True if AGENT runs commands at the events of a session. */
bool agent_has_hooks(enum agent agent);

#endif
