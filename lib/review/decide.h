/* decide.h: drafts and memories that are due: chosen, listed, walked through, and
 * decided on without a question.
 *
 * What cannot be done is complained of, and the rest goes on.
 */
#ifndef CO_REVIEW_DECIDE_H
#define CO_REVIEW_DECIDE_H

#include "cli/out.h"

/* The drafts of S that are meant, and how what is done is told. */
struct decide {
	struct store *s;
	struct strings tags; /* they have each of these */
	const char *source;  /* or NULL; they are from there */
	bool due;	     /* memories that are due for review instead */
	bool sensitive;	     /* list what is sensitive, too */
	bool same;	     /* only if standard input is the text */
	bool json;
	const char *color; /* as --color has it */
};

/* The drafts that the options choose, or the memories: in order, and their paths
 * added to NAMES, in A, with what is sensitive. */
void decide_list(const struct decide *d);
void decide_choose(const struct decide *d, struct strings *names,
		   struct arena *a);

/* Accept or reject those that NAMES, ids and paths, say; what is compared is
 * locked, so that it is what moves. */
void decide_accept(const struct decide *d, const struct strings *names);
void decide_reject(const struct decide *d, const struct strings *names);

/* Have those memories be looked at again at WHEN, a date or span to come, or
 * "never"; ends with 2 where it is neither. */
void decide_keep(const struct decide *d, const struct strings *names,
		 const char *when);

/* Go through those of NAMES, NULL for all drafts, and ask. */
void decide_walk(const struct decide *d, const struct strings *names);

/* List the drafts that the options choose in all projects, D's first, or unless
 * that is all (LIST), go through those of each; D->s is it then.  The exit
 * status. */
int decide_everywhere(struct decide *d, bool list);

/* Tell of those that wait in the user's store, or are DUE there. */
void decide_hint_global(bool due);

#endif
