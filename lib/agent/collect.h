/* collect.h: make drafts of what a person asked to be remembered during a session.
 *
 * No model takes part: the requests (see remember.h) are read from the agent's
 * record of the session. A draft has the session as its source, and waits for the
 * person's yes. A text that a memory, a draft or the trash has already does not
 * become a draft again. So a session may end twice, and a rejected draft stays
 * rejected.
 */
#ifndef CO_AGENT_COLLECT_H
#define CO_AGENT_COLLECT_H

#include "agent/event.h"

struct collected {
	size_t said;	/* texts of the person */
	size_t asked;	/* requests to remember */
	size_t saved;	/* of them: became drafts */
	size_t refused; /* have a secret, or cannot be a memory */
	size_t kept;	/* wait for a session that can save them */
	size_t skipped; /* unreadable lines of the record */
};

/* Collect from the record of EV's session into the project's store, or into the
 * user's if there is no project. Errors go to R. Return 0, or -1 if not all of it
 * could be read or saved; a text that could not be saved is stored by unsaved.h. */
int collect_drafts(struct collected *c, const struct event *ev,
		   const struct report *r, struct err *e);

/* Return the number of texts that are stored for the store that collect_drafts()
 * would use here. Set *WHY, in A, to the reason why they were not saved. */
size_t collect_waiting(const char **why, struct arena *a);

/* Make drafts of the texts that are stored for that store. Return 0, or -1 if some
 * are still stored. */
int collect_again(struct collected *c, const struct report *r, struct err *e);

/* Set *NEWS to whether the person has said anything in EV's session since its
 * start, or since the model last proposed a memory. */
int collect_news(bool *news, const struct event *ev, struct err *e);

#endif
