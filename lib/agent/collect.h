/* collect.h: drafts, of what a person asked for during a session.
 *
 * No model takes part: what they asked for in so many words (see remember.h) is
 * taken from the agent's record of the session.  A draft names the session as
 * its source and waits for the person's yes.  What a memory, a draft or the
 * trash has already is not drafted again, so a session may end twice, and what
 * was rejected stays so.
 */
#ifndef CO_AGENT_COLLECT_H
#define CO_AGENT_COLLECT_H

#include "agent/event.h"

struct collected {
	size_t said;	/* texts of the person's */
	size_t asked;	/* what they asked for */
	size_t saved;	/* drafts that were made */
	size_t refused; /* that hold a secret, or cannot be a memory */
	size_t kept;	/* that wait for a session that can save them */
	size_t skipped; /* lines of the record that could not be read */
};

/* Collect from the record of EV's session into the project's store, or the
 * user's where there is no project; complaints go to R.  -1: not all of it could be
 * read or saved; what could not be saved is kept, see unsaved.h. */
int collect_drafts(struct collected *c, const struct event *ev,
		   const struct report *r, struct err *e);

/* Count what is kept for the store that collect_drafts() would take here.  *WHY is
 * why it was not saved, in A. */
size_t collect_waiting(const char **why, struct arena *a);

/* Make drafts of what is kept for that store.  -1: some of it is kept still. */
int collect_again(struct collected *c, const struct report *r, struct err *e);

/* Set *NEWS to whether the person said anything in EV's session since it began,
 * or since the model proposed a memory last. */
int collect_news(bool *news, const struct event *ev, struct err *e);

#endif
