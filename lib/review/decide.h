/* decide.h: list, walk through, accept and reject drafts, and memories that are
 * due for review; and propose drafts that merge similar memories.
 *
 * If one of several drafts fails, the error is reported and the next one
 * follows.
 */
#ifndef CO_REVIEW_DECIDE_H
#define CO_REVIEW_DECIDE_H

#include "cli/out.h"
#include "search/similar.h"

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

/* Ask about each draft of NAMES, ids or paths, or about all drafts if NAMES is NULL. */
void decide_walk(const struct decide *d, const struct strings *names);

/* List the selected drafts of all projects if LIST or without a terminal;
 * otherwise ask about each of them. D's store comes first and is restored at
 * the end. Return the exit status. */
int decide_everywhere(struct decide *d, bool list);

/* Print a hint if drafts, or with DUE memories that are due, wait in the user's
 * store. */
void decide_hint_global(bool due);

/* A proposal of one memory in place of several similar ones is a draft that `replaces`
 * all of them. Accepting it replaces them in one step; rejecting it changes nothing.
 * Memories that contradict each other are not merged: a person must decide which of them
 * is right. The frontmatter key `group` is a hash of the memories and their texts. While
 * the draft waits or is in the trash, the same group is not proposed again. A change of
 * any of the memories makes it a new group.
 *
 * The text is written by the model, if one is configured. The memories are redacted and
 * wrapped before they are sent, and the reply becomes the body of the draft and nothing
 * else. Without a model, the draft has the summary of the newest memory and a list of
 * all, for the user to edit. In both cases the last lines name the memories that were
 * merged. */
struct merging {
	size_t max; /* groups to propose */
	bool dry;   /* call no model, save nothing */
	/* Called for each group. DRAFT is NULL in a dry run. */
	void (*tell)(void *ctx, const struct similar_group *g,
		     const struct record *draft);
	/* Called for each group that is left out, since its members contradict each
	 * other. */
	void (*tell_left_out)(void *ctx, const struct similar_group *g);
	void *ctx;

	size_t proposed, more; /* number of groups; those beyond MAX */
	size_t left_out;       /* groups */
	size_t refused;	       /* proposals that could not be saved */
};

#define MERGING_ALIKE 50 /* minimum similarity, per cent */

/* Propose such drafts for the memories of S with the model of the user's settings.
 * ARGV0 is argv[0] of the program. REPORT receives errors of single groups.
 * Return 0, or -1: ERR_SYSTEM; ERR_HELPER if the model failed, which ends the
 * run. */
int decide_propose_merges(struct merging *m, struct store *s, const char *argv0,
			  const struct report *report, struct err *e);

#endif
