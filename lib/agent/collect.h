/* collect.h: make drafts of what a person asked to be remembered during a
 * session.
 *
 * No model takes part: the requests (see remember.h) are read from the agent's
 * record of the session. A draft has the session as its source, and waits until
 * the person accepts it. A text that a memory, a draft or the trash already has
 * does not become a draft again. So the end of a session may be reported twice,
 * and a rejected draft stays rejected.
 */
#ifndef CO_AGENT_COLLECT_H
#define CO_AGENT_COLLECT_H

#include "agent/event.h"

struct collected {
	size_t said;	/* turns of the person */
	size_t asked;	/* requests to remember */
	size_t saved;	/* requests that became drafts */
	size_t refused; /* requests with a secret, or that cannot be a memory */
	size_t kept;	/* requests kept for a session that can save them */
	size_t skipped; /* unreadable lines of the record */
};

/* Make drafts of the requests in the record of EV's session, in the project's
 * store, or in the user's if there is no project. Errors of single requests go
 * to R. Return 0, or -1 if the record could not be read or not all requests
 * could be saved. A request that could not be saved is stored by unsaved.h. */
int collect_drafts(struct collected *c, const struct event *ev,
		   const struct report *r, struct err *e);

/* Return the number of requests that are stored for the store of
 * collect_drafts(). *WHY, in A, is the reason why they were not saved, or
 * NULL. */
size_t collect_waiting(const char **why, struct arena *a);

/* Make drafts of the requests that are stored for that store. Return 0, or -1
 * if some are still stored. */
int collect_again(struct collected *c, const struct report *r, struct err *e);

/* Set *NEWS to true if the person has said anything in EV's session since its
 * start, or since the model last proposed a memory. Return 0 or -1. */
int collect_news(bool *news, const struct event *ev, struct err *e);

#endif
