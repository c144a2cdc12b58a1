/* event.h: the events that an agent reports to its hooks, and the answers.
 *
 * An event is one JSON object on standard input. Agents have different names
 * for the same events. Unknown fields are ignored.
 */
#ifndef CO_AGENT_EVENT_H
#define CO_AGENT_EVENT_H

#include "agent/agent.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"

#define EVENT_MAX ((size_t)16 * 1024 * 1024) /* bytes of the object */

enum event_kind {
	EVENT_OTHER, /* nothing to do */
	/* These have the order of `events` in a row of agents. */
	EVENT_START,  /* a session starts, resumes, or was compacted */
	EVENT_PROMPT, /* the user sent a prompt */
	EVENT_STOP,   /* the model has finished its turn */
	EVENT_END,
	EVENT_ACTION,	/* a tool edits a file or runs a command */
	EVENT_SUBAGENT, /* an agent inside the session starts */
	EVENT_READ	/* a tool has brought text from outside */
};

struct event {
	const struct agent *agent;
	enum event_kind kind;
	const char *name;    /* as the agent calls it */
	const char *session; /* letters, digits, . _ -; "" for none */
	const char *time;    /* of the event, by the agent's clock in UTC; or
				 * NULL */
	/* The next four are NULL if the agent does not report them. */
	const char *cwd;
	const char *transcript; /* its path */
	const char *prompt;
	const char *source; /* of a start: "startup", "resume", ... */
	bool again; /* of a stop: the model already continued because a hook
		     * asked for it */
	const char *subagent;	   /* the agent inside the session, or NULL */
	const char *tool;	   /* its name, or NULL */
	const struct value *input; /* of the tool; NULL: none */
};

/* Parse the LEN bytes of P, an event of AGENT; P is modified. The result is
 * allocated in A. Return 0, or -1: ERR_DATA. */
int event_parse(struct event *ev, const struct agent *agent, char *p,
		size_t len, struct arena *a, struct err *e);

/* Return true if the LEN bytes of P, an event or its beginning, contain the
 * name of an event for actions. */
bool event_may_be_action(const char *p, size_t len);

/* Change to the directory of the session: that of the event, else the one in
 * the agent's environment, if any. Errors are ignored. */
void event_enter(const struct event *ev);

/* Append the answer to EV as one line of JSON: CONTEXT for the model and NOTICE
 * for the person. Either may be empty. */
void event_answer(struct buf *out, const struct event *ev,
		  const struct buf *context, const struct buf *notice);

/* Append the answer to a stop that makes the model continue because of
 * REASON. */
void event_continue(struct buf *out, const struct buf *reason);

#define EVENT_AWAIT_MS 5000 /* longest wait of event_await_record() */

/* Wait until the record at PATH has what came before the event at TIME, in UTC
 * as 2026-02-09T14:30:00.000Z, or NULL. Reports nothing: the reader of the
 * record reports missing lines. */
void event_await_record(const char *path, const char *time);

/* Return true if the record of Gemini CLI at PATH has a snapshot that no
 * context follows. Return false if the record cannot be read, or the snapshot
 * is not in its last 64 MiB. */
bool event_ends_compressed(const char *path);

#endif
