/* config.h: add the suite to the text of an agent's configuration: its server
 * and its hooks.
 *
 * Our entries are recognized by their form, whichever path they name: a server "co"
 * whose program is called co and whose only argument is mcp; a hook whose command is
 * as we write it, to the byte. All other bytes are the user's and are not changed.
 */
#ifndef CO_AGENT_CONFIG_H
#define CO_AGENT_CONFIG_H

#include "agent/agent.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/strings.h"

#define CONFIG_NAME "co" /* of the server */

struct config {
	const struct agent *agent;
	unsigned holds;	     /* as in agent.h */
	const char *program; /* an absolute path, or "co" for the one in PATH */
};

/* Put the entries of W into TEXT, unless they are there; no hook for an event at which
 * a command of the user calls ours (see config_theirs()). Return 0, or -1: ERR_DATA
 * if the text is malformed ("LINE:COL: ..."), or if something else is in their
 * place. */
int config_put(struct buf *text, const struct config *w, struct err *e);

/* Remove all our entries from TEXT, whichever program they name. Return 0 or
 * -1. */
int config_drop(struct buf *text, const struct config *w, struct err *e);

/* Add to OUT, in A, each command of a hook in TEXT that calls ours, as its last words,
 * and that we did not write. */
void config_theirs(const struct buf *text, const struct config *w,
		   struct strings *out, struct arena *a);

/* Remove from TEXT what the agent of W itself writes into its file, unless WAS has
 * it. */
void config_forget(struct buf *text, const struct buf *was,
		   const struct config *w);

/* Append a configuration for other agents: PROGRAM as a server, in the JSON
 * that most clients read; an empty line; and a block of five lines, including
 * marks, for AGENTS.md. */
void config_generic(struct buf *out, const char *program);

#endif
