/* why.h: say what an agent was shown, and why: events of the ledger in words. */
#ifndef CO_OVERVIEW_WHY_H
#define CO_OVERVIEW_WHY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/instant.h"
#include "format/value.h"

/* The articles of the project and of the user, by the hashes of their files.
 * The ledger has only hashes of what has no id. Zero it; it is filled when a name is
 * needed. Release it with why_names_release(). */
struct why_names {
	struct why_name *items;
	size_t n, cap;
	bool filled;
	struct arena arena;
};
void why_names_release(struct why_names *names);

/* ID: name only this memory, as shown_list_id() writes it; or NULL. CLOCK: times are
 * local, as people say them, and else as in the ledger. */
struct why_how {
	const char *id;
	bool clock;
	struct why_names *names;
};

/* Append the EVENT, of shown.h, as a line: the time, the agent, what triggered it,
 * and each memory with its reason. */
void why_line(struct buf *out, const struct value *event,
	      const struct why_how *how);

/* Append the EVENT, which may have no time and no agent, without them and without a
 * newline. */
void why_event(struct buf *out, const struct value *event,
	       const struct why_how *how);

/* Return the id that TEXT means, as shown_list_id() writes it, without zeros in front:
 * allocated in A. NULL: TEXT is none. */
const char *why_id(const char *text, struct arena *a);

/* Conditions of an event; each may be NULL. ID: a memory that it shows, as
 * shown_list_id() writes it. */
struct why_filter {
	const char *session, *agent, *id;
	const struct instant *since;
};

/* Set *LIST, allocated in A, to those of the N events of LEDGER that meet F, in their
 * order. Return how many they are. */
size_t why_find(const struct value ***list, const struct why_filter *f,
		const struct value *ledger, size_t n, struct arena *a);

/* What to preview: one of these; the others are NULL. FILE is one that is edited. */
struct why_preview_ask {
	const char *prompt, *command, *file;
};

struct why_preview {
	struct buf text;  /* as the agent gets it; empty: nothing */
	struct buf event; /* JSON, as in the ledger; without time and agent, and
			   * with "text" */
	struct buf why;	  /* the event in words */
	/* NULL: hooks give it; else the value of the setting hook.recall with
	 * which they would. */
	const char *setting;
};

/* Fill P, which is zeroed, with the text that a hook would give an agent for a prompt or
 * before an action, found as co hook finds it, for a session that was given nothing yet.
 * The ledger does not get it, since no agent does. Return 0, or -1. Release P in any
 * case. */
int why_preview(struct why_preview *p, const struct why_preview_ask *ask,
		const struct report *r, struct err *e);
void why_preview_release(struct why_preview *p);

#endif
