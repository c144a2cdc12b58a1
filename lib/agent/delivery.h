/* delivery.h: who gives a session its context, and which notices people got.
 *
 * An agent with both a hook and the server would get the context twice. Both note
 * in the ledger of shown.h what they gave, and look up here what the other did. A
 * hook can give more than the server's instructions can hold, so the server leaves
 * the context to the hook if hooks of the agent have run before. If the ledger
 * tells nothing, the context is rather given twice than never.
 *
 * Notices for people are lines of JSON in notices.jsonl, in the state directory. No
 * code reads the log of hooks, which is for people.
 */
#ifndef CO_AGENT_DELIVERY_H
#define CO_AGENT_DELIVERY_H

#include "agent/agent.h"
#include "base/instant.h"

#define DELIVERY_SECONDS 60 /* within which hook and server of one start come */

/* Return true if a hook of AGENT has given the context to SESSION, in the working
 * directory; or, if SESSION is not known (NULL), to one that began there within the
 * last DELIVERY_SECONDS. Return true also if a hook is going to: hooks ran here
 * when the server was last started. */
bool delivery_by_hook(const struct agent *agent, const char *session);

/* Return true if the server gave all of the context to SESSION of AGENT here. */
bool delivery_by_server(const struct agent *agent, const char *session);

/* Note that a hook ran out of time. */
void delivery_note_late(void);

/* Return true if a hook ran out of time. WHEN, unless it is NULL, gets the last
 * time. */
bool delivery_is_late(char when[INSTANT_TEXT]);

/* Note that the person got the notice TEXT. delivery_was_told() returns true if
 * that was noted. */
void delivery_note_told(const char *text);
bool delivery_was_told(const char *text);

#endif
