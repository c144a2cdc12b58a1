/* used.h: what became of the memories that the events of the ledger have: whether the
 * agent used them, and whether they have changed since.
 */
#ifndef CO_OVERVIEW_USED_H
#define CO_OVERVIEW_USED_H

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "store/store.h"

/* The events of shown_list_all(), newest first. */
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
int used_mark(const struct value **events, size_t n, const struct used_ask *ask,
	      struct arena *a, struct err *e);

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
int used_count(struct store *s, const struct used_ask *ask,
	       struct used_counts *out, struct err *e);

/* Append C as two lines, or as the member KEY of an object. Nothing if no memory was
 * given. */
void used_text(struct buf *out, const struct used_counts *c);
void used_json(struct buf *out, const char *key, const struct used_counts *c);

#endif
