/* setup-agent.h: set up an agent, as a person sees it: what changes, a question, and
 * what to do next.
 */
#ifndef CO_CLI_SETUP_AGENT_H
#define CO_CLI_SETUP_AGENT_H

#include "agent/setup.h"

/* The options of co-setup. */
struct setup_agent_how {
	bool project;  /* for the project, not the user */
	bool removing; /* remove what was written */
	bool yes;      /* do not ask */
};

/* Ask, unless YES is set, whether to write. DIFF, unless it is NULL, is shown on
 * request. Return true if the answer is yes; else print that nothing was written. WHAT:
 * the operands and options of co-setup. */
bool setup_agent_confirm(bool yes, const char *what, const struct buf *diff);

/* Return the agent NAME. End the process if there is none. */
const struct agent *setup_agent_find(const char *name);

/* Print that WHAT, a path or a text, is set up, or was removed. */
void setup_agent_print_done(bool removing, const char *what);

/* Set up AGENT, or remove the setup, after a question. Return the exit status. */
int setup_agent_run(const struct agent *agent, struct setup_agent_how how,
		    const char *argv0);

/* Print a hint that names the command to remove the setup of the agents that are set up
 * for the project, or for the user. Print nothing if there is none. */
void setup_agent_hint_removal(bool project, const char *argv0);

/* List the agents found on this machine. On a terminal, ask which of them to set up,
 * and return it. Return NULL if there is none, or nobody chose. */
const struct agent *setup_agent_choose(const char *argv0);

#endif
