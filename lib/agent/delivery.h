/* delivery.h: by which way a session gets the context: its hook or the server.
 *
 * An agent that has both would be given it twice.  Both note in the log what
 * they brought, and look there what the other did.  A hook can bring more than
 * the server's instructions hold, so the server leaves it to the hook wherever
 * hooks of the agent have been seen to run; where the log does not say so, the
 * session gets it rather twice than never.
 */
#ifndef CO_AGENT_DELIVERY_H
#define CO_AGENT_DELIVERY_H

#include "agent/agent.h"
#include "base/buf.h"
#include "base/instant.h"

#define DELIVERY_LOG "hook.log"
#define DELIVERY_SECONDS 60 /* within which hook and server of one start come */

/* Append what the log says of BYTES of context, given to a session that begins
 * in the working directory. */
void delivery_add(struct buf *out, size_t bytes);

/* Note that the server gave BYTES of context to SESSION of AGENT, NULL where it
 * is not known; WHOLE: nothing was left out. */
void delivery_note(enum agent agent, const char *session, size_t bytes,
		   bool whole);

/* True if a hook of AGENT has given the context to SESSION, in the working
 * directory, or to one that began there within the last DELIVERY_SECONDS, where
 * SESSION is not known (NULL); or if one is going to: hooks ran here when the
 * server was last started before. */
bool delivery_by_hook(enum agent agent, const char *session);

/* True if the server gave all of the context to SESSION of AGENT, here. */
bool delivery_by_server(enum agent agent, const char *session);

/* Return true if the log says that a hook ran out of time.  WHEN, unless NULL, gets
 * the time of the last such line. */
bool delivery_is_late(char when[INSTANT_TEXT]);

/* True if the log has a line that ends in TEXT. */
bool delivery_said(const char *text);

#endif
