/* delivery.h: who gives a session its context, and what people were told.
 *
 * An agent that has both a hook and the server would be given the context twice.
 * Both note in the ledger of shown.h what they gave, and read here what the other did.
 * A hook can give more than the server's instructions hold, so the server leaves it to
 * the hook wherever hooks of the agent have been seen to run. If the ledger says
 * nothing, the session gets the context rather twice than never.
 *
 * Notices for people are lines of JSON in notices.jsonl, in the state directory. The
 * log of hooks is for people: nothing reads it.
 */
#ifndef CO_AGENT_DELIVERY_H
#define CO_AGENT_DELIVERY_H

#include "agent/agent.h"
#include "base/instant.h"

#define DELIVERY_SECONDS 60 /* within which hook and server of one start come */

/* True if a hook of AGENT has given the context to SESSION, in the working
 * directory, or to one that began there within the last DELIVERY_SECONDS, where
 * SESSION is not known (NULL); or if one is going to: hooks ran here when the
 * server was last started before. */
bool delivery_by_hook(const struct agent *agent, const char *session);

/* True if the server gave all of the context to SESSION of AGENT, here. */
bool delivery_by_server(const struct agent *agent, const char *session);

/* Note that a hook ran out of time. */
void delivery_note_late(void);

/* Return true if a hook ran out of time.  WHEN, unless NULL, gets the last time. */
bool delivery_is_late(char when[INSTANT_TEXT]);

/* Note that the person is told TEXT; return true if that was noted before. */
void delivery_note_told(const char *text);
bool delivery_was_told(const char *text);

#endif
