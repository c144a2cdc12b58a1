/* delivery.h: what earlier hooks and servers did for sessions, kept as data.
 *
 * An agent that has both a hook and the server would be given the context twice.
 * Both note here what they brought, and read here what the other did.  A hook can
 * bring more than the server's instructions hold, so the server leaves it to the
 * hook wherever hooks of the agent have been seen to run.  Where no note says so,
 * the session gets the context rather twice than never.
 *
 * A note is a line of JSON in the file DELIVERY_NOTES of log.h.  The log of hooks
 * is for people: nothing reads it.
 */
#ifndef CO_AGENT_DELIVERY_H
#define CO_AGENT_DELIVERY_H

#include "agent/agent.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/instant.h"
#include "base/strings.h"

#define DELIVERY_NOTES "deliveries.jsonl"
#define DELIVERY_SECONDS 60 /* within which hook and server of one start come */

/* Context that a session got in the working directory. */
struct delivery {
	const struct agent *agent;
	bool server;	     /* by the server, else by a hook */
	const char *session; /* NULL or empty: not known */
	size_t bytes;
	bool whole; /* nothing was left out */
};

/* Note D, with the time and the working directory. */
void delivery_note(const struct delivery *d);

/* Append the working directory, as notes and the log name it. */
void delivery_add_folder(struct buf *out);

/* True if a hook of AGENT has given the context to SESSION, in the working
 * directory, or to one that began there within the last DELIVERY_SECONDS, where
 * SESSION is not known (NULL); or if one is going to: hooks ran here when the
 * server was last started before. */
bool delivery_by_hook(const struct agent *agent, const char *session);

/* True if the server gave all of the context to SESSION of AGENT, here. */
bool delivery_by_server(const struct agent *agent, const char *session);

/* Note that a hook put the memories IDS into a prompt of SESSION of AGENT. */
void delivery_note_recalled(const struct agent *agent, const char *session,
			    const struct strings *ids);

/* What the last session of an agent got. */
struct delivery_last {
	struct instant at;	 /* its start */
	bool server;		 /* the context came from the server */
	size_t bytes;		 /* of context */
	struct strings memories; /* the ids put into its prompts, each once */
};

/* Find the last session that AGENT began in TOP or below it. Return false if no note
 * names one. The ids are allocated in A; free the list's items with free(). */
bool delivery_find_last(struct delivery_last *last, const struct agent *agent,
			const char *top, struct arena *a);

/* Note that a hook ran out of time. */
void delivery_note_late(void);

/* Return true if a hook ran out of time.  WHEN, unless NULL, gets the last time. */
bool delivery_is_late(char when[INSTANT_TEXT]);

/* Note that the person is told TEXT; return true if that was noted before. */
void delivery_note_told(const char *text);
bool delivery_was_told(const char *text);

#endif
