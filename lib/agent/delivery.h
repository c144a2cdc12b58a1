/* delivery.h: whether a session got the context by a hook already, by the log.
 *
 * An agent that has both the hook and the server would be given it twice.
 * Where the log does not say so, it was not.
 */
#ifndef CO_AGENT_DELIVERY_H
#define CO_AGENT_DELIVERY_H

#include "agent/agent.h"
#include "base/buf.h"

#define DELIVERY_LOG "hook.log"
#define DELIVERY_SECONDS 60 /* within which hook and server of one start come */

/* Append what the log says of BYTES of context, given to a session that begins
 * in the working directory. */
void delivery_add(struct buf *out, size_t bytes);

/* True if a hook of AGENT has given the context to SESSION, in the working
 * directory; or, where SESSION is not known (NULL), to one that began there
 * within the last DELIVERY_SECONDS. */
bool delivery_was(enum agent agent, const char *session);

#endif
