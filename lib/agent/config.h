/* config.h: the suite in the text of an agent's configuration: its server of
 * memories, and its hooks.
 *
 * What is there is known by its form, whichever path it names: a server "co"
 * whose program is called co and whose argument is mcp, a hook whose command
 * ends as ours do.  All else is the user's, and no byte of it is changed.
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

/* Put what W says into TEXT; nothing is changed where it is there already.
 * ERR_DATA: the text is malformed ("LINE:COL: ..."), or something stands where
 * it should go. */
int config_put(struct buf *text, const struct config *w, struct err *e);

/* Take all of it away again, whichever program it names. */
int config_drop(struct buf *text, const struct config *w, struct err *e);

/* Take out of TEXT, unless WAS has it, what the agent of W writes into its file
 * itself. */
void config_forget(struct buf *text, const struct buf *was,
		   const struct config *w);

/* Append what every other agent can be given: PROGRAM as a server in the JSON
 * that most clients read, a blank line, and a block of five lines, marks
 * included, for AGENTS.md. */
void config_generic(struct buf *out, const char *program);

#endif
