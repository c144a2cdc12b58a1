/* usage.h: guess whether an agent used a memory, from the conversation that followed.
 *
 * A memory counts as used if the agent was the first to say enough of its wording, after
 * it was given. What the user or an earlier turn said proves nothing, nor do common
 * words. It is a guess: `t/usage/measure` prints how good it is.
 */
#ifndef CO_OVERVIEW_USAGE_H
#define CO_OVERVIEW_USAGE_H

#include "base/instant.h"

/* A conversation, and the memories whose use in it is to be found. */
struct usage;

struct usage *usage_new(void);
void usage_free(struct usage *u);

/* Add a memory: LEN bytes of TEXT. Return its number. Add all memories before the
 * first turn. */
size_t usage_add_memory(struct usage *u, const char *text, size_t len);

/* Add LEN bytes that were said or written AT, by the agent or (if not AGENT) by the user.
 * Call it in the order of the conversation. */
void usage_add_turn(struct usage *u, bool agent, struct instant at,
		    const char *text, size_t len);

enum usage_guess {
	USAGE_UNKNOWN, /* the agent has said nothing since */
	USAGE_UNUSED,
	USAGE_USED
};

/* Return whether the MEMORY, given at the time GIVEN, was used. */
enum usage_guess usage_of(const struct usage *u, size_t memory,
			  struct instant given);

#endif
