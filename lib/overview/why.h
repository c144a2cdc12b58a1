/* why.h: say what an agent was shown, and why, and whether it used it: events of the
 * ledger in words. */
#ifndef CO_OVERVIEW_WHY_H
#define CO_OVERVIEW_WHY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/instant.h"
#include "base/progress.h"
#include "format/value.h"
#include "store/store.h"

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

/* The events of shown_list_all(), newest first, for why_mark_used(), which tells what
 * became of their memories. */
struct used_ask {
	/* Of the ledger: they tell the session of events that have none. */
	const struct value *all;
	size_t nall;
	bool guess; /* whether each memory was used */
	bool files; /* add whether each file is still as it was shown */
	const struct progress *progress; /* may be NULL */
	const struct report *report;	 /* gets what cannot be read */
};

/* Replace each of the N EVENTS, which are of ASK's, by a copy in A.
 *
 * With `guess` it has the member `used`, and each of its `memories` too: true or false,
 * see usage.h; null if the memory has changed since or is of another project, or if the
 * agent keeps no record of the session with times. That of the event is true if one of
 * its memories was used, and null if none is known. The records of sessions are read.
 *
 * With `files`, each of its `memories` has the member `file`: "same", "changed", "gone",
 * or null if that is not known.
 *
 * Return 0, or -1 if the sessions cannot be listed. */
int why_mark_used(const struct value **events, size_t n,
		  const struct used_ask *ask, struct arena *a, struct err *e);

/* How often the memories of a store were shown to agents. */
struct used_counts {
	size_t times;	/* with repetitions */
	bool guessed;	/* `used` is set */
	size_t used;	/* of these */
	size_t given;	/* distinct memories that the store has */
	int64_t *never; /* the others, ascending; free it */
	size_t nnever;
};

/* Count the memories of S, the project store, in the ledger; with ASK's `guess`, also how
 * many were used. Nothing is counted if a file of the ledger cannot be read, which is
 * reported to ASK. Return 0, or -1 if S cannot be read. */
int why_count_used(struct store *s, const struct used_ask *ask,
		   struct used_counts *out, struct err *e);

/* Append C as two lines, or as the member KEY of an object. Nothing if no memory was
 * given. */
void why_used_text(struct buf *out, const struct used_counts *c);
void why_used_json(struct buf *out, const char *key,
		   const struct used_counts *c);

#endif
