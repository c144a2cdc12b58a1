/* config.h: put the suite into the text of an agent's configuration: its server of
 * memories, and its hooks.
 *
 * Our entries are recognized by their form, whichever path they name: a server "co"
 * whose program is called co and whose argument is mcp; a hook whose command ends
 * as ours do. All other bytes are the user's and are not changed.
 */
#ifndef CO_AGENT_CONFIG_H
#define CO_AGENT_CONFIG_H

#include "agent/agent.h"
#include "base/buf.h"
#include "base/err.h"

#define CONFIG_NAME "co" /* of the server */

struct config {
	const struct agent *agent;
	unsigned holds;	     /* as in agent.h */
	const char *program; /* an absolute path, or "co" for the one in PATH */
};

/* Put the entries of W into TEXT, unless they are there. Return 0, or -1: ERR_DATA
 * if the text is malformed ("LINE:COL: ..."), or if something else is in their
 * place. */
int config_put(struct buf *text, const struct config *w, struct err *e);

/* Remove all our entries, whichever program they name. */
int config_drop(struct buf *text, const struct config *w, struct err *e);

/* Remove from TEXT what the agent of W itself writes into its file, unless WAS has
 * it. */
void config_forget(struct buf *text, const struct buf *was,
		   const struct config *w);

/* Append a configuration for other agents: PROGRAM as a server in the JSON that
 * most clients read, an empty line, and a block of five lines, with marks, for
 * AGENTS.md. */
void config_generic(struct buf *out, const char *program);

#endif
