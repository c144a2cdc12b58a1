/* decide.h: list, walk through, accept and reject drafts, and memories that are
 * due for review.
 *
 * If one of several drafts fails, the error is reported and the next one
 * follows.
 */
#ifndef CO_REVIEW_DECIDE_H
#define CO_REVIEW_DECIDE_H

#include "cli/out.h"

/* Which drafts of S are selected, and how results are printed. */
struct decide {
	struct store *s;
	struct strings tags; /* they have all of these */
	const char *source;  /* they are from this source; NULL: any */
	bool due;	     /* memories that are due for review instead */
	bool sensitive;	     /* list sensitive ones, too */
	bool same;	     /* only if standard input equals their text */
	bool json;
	const char *color; /* value of --color */
};

/* List the selected drafts or memories, by id.
 *
 * decide_choose() appends their paths, allocated in A, to NAMES, including
 * sensitive ones.
 */
void decide_list(const struct decide *d);
void decide_choose(const struct decide *d, struct strings *names,
		   struct arena *a);

/* Accept or reject the drafts NAMES, ids or paths. With `same`, the lock is
 * held from the comparison to the move. */
void decide_accept(const struct decide *d, const struct strings *names);
void decide_reject(const struct decide *d, const struct strings *names);

/* Postpone the review of the memories NAMES to WHEN, a date or span in the
 * future, or "never". End the process with 2 if WHEN is malformed. */
void decide_keep(const struct decide *d, const struct strings *names,
		 const char *when);

/* Ask about each draft of NAMES, or about all drafts if NAMES is NULL. */
void decide_walk(const struct decide *d, const struct strings *names);

/* List the selected drafts of all projects if LIST or without a terminal;
 * otherwise ask about each of them. D's store comes first and is restored at
 * the end. Return the exit status. */
int decide_everywhere(struct decide *d, bool list);

/* Print a hint if drafts, or with DUE memories that are due, wait in the user's
 * store. */
void decide_hint_global(bool due);

#endif
