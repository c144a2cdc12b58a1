/* commit-rules.h: what a commit's message has that is worth remembering. */
#ifndef CO_MINING_COMMIT_RULES_H
#define CO_MINING_COMMIT_RULES_H

#include "base/strings.h"
#include "base/table.h"
#include "mining/candidates.h"
#include "mining/commit-log.h"

/* Zero it, and set FOUND; release it with commit_rules_release(). */
struct commit_rules {
	struct candidates *found;
	struct strings reverted; /* commits; in the arena of FOUND */
	struct table by_name;	 /* these, by their first digits */
};

/* Add what C has: each of its trailers, or else the best of the rest. */
void commit_rules_apply(struct commit_rules *r, const struct commit *c);

/* Call it after the last commit: remove candidates of commits that were reverted. */
void commit_rules_finish(struct commit_rules *r);
void commit_rules_release(struct commit_rules *r);

#endif
