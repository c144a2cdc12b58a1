/* learn-history.h: co harvest --from=git: drafts from the history of the project's
 * repository. */
#ifndef CO_LEARN_LEARN_HISTORY_H
#define CO_LEARN_LEARN_HISTORY_H

#include "mining/mining.h"

struct learn_history {
	const char *range;	       /* see mining/candidates.h */
	size_t max;		       /* drafts */
	size_t max_calls, max_seconds; /* of the model; 0: no limit */
	bool apply, json;
};

/* Find the drafts, save them with APPLY, and print them. ARGV0: see sys/execpath.h.
 * Returns the status for main(); ends the process if that fails. */
int learn_history(const struct learn_history *l, const char *argv0);

/* If a person is at the terminal, say how many commits the repository here has, and how
 * many conversations agents keep of the project; offer to make drafts from the commits,
 * and say how to search the conversations. */
void learn_history_offer(const char *argv0);

#endif
