/* tools.h: the tools of co mcp at work.
 *
 * A tool checks its arguments, has the suite's programs do the work, and
 * answers with what they printed.  What fails is one failed call: its answer
 * says why, in words that the agent can act on.
 */
#ifndef CO_MCPTOOL_H
#define CO_MCPTOOL_H

#include "mcp/mcp.h"

/* Serve tools/list and tools/call for C: answers at once where the call is
 * wrong, else queues it. */
void mcptool_list(struct mcp *m, struct mcpcall *c);
void mcptool_call(struct mcp *m, struct mcpcall *c);

/* Have the memory ID of one store printed as a record, and go on with THEN. */
void mcptool_show(struct mcp *m, struct mcpcall *c, int64_t id, bool global,
		  mcpcall_fn *then);

#endif
