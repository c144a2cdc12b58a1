/* delivery.h: decide whether a hook or the server gives a session its context,
 * and record which notices people got.
 *
 * An agent with both a hook and the server would get the context twice. Both
 * record in the ledger of shown.h what they gave, and check here what the other
 * one did. A hook can give more than the instructions of a server can hold. So
 * the server leaves the context to the hook if hooks of the agent have run
 * before. If the ledger does not tell, the context is given twice rather than
 * never.
 *
 * Notices for people are lines of JSON in notices.jsonl, in the state
 * directory. The log of hooks is for people, so no code reads it.
 */
#ifndef CO_AGENT_DELIVERY_H
#define CO_AGENT_DELIVERY_H

#include "agent/agent.h"
#include "base/instant.h"

#define DELIVERY_SECONDS 60 /* between hook and server of one start, at most */

/* Return true if a hook of AGENT has given the context to SESSION in the
 * working directory. If SESSION is NULL, it is the session that began there
 * within the last DELIVERY_SECONDS.
 *
 * If no hook has run for it yet, return true if one is expected: a hook ran
 * here for the session before, when the server was last started.
 */
bool delivery_by_hook(const struct agent *agent, const char *session);

/* Return true if the server gave the whole context to SESSION of AGENT in the
 * working directory. */
bool delivery_by_server(const struct agent *agent, const char *session);

/* Record that the session of the agent that started this program, if its environment
 * names one, has read text from FROM: see shown/reads.h. */
void delivery_note_read(const char *from);

/* Record that a hook exceeded its time limit. */
void delivery_note_late(void);

/* Return true if a hook ever exceeded its time limit. WHEN, unless it is NULL,
 * gets the last time. */
bool delivery_is_late(char when[INSTANT_TEXT]);

/* Record that the person got the notice TEXT. delivery_was_told() returns true
 * if that was recorded. */
void delivery_note_told(const char *text);
bool delivery_was_told(const char *text);

#endif
