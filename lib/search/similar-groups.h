/* similar-groups.h: find groups of memories that say nearly the same.
 *
 * Two memories are alike by their words (see rank/alike.h). Those that share
 * only words that over 200 memories have are not compared.
 */
#ifndef CO_SEARCH_SIMILAR_GROUPS_H
#define CO_SEARCH_SIMILAR_GROUPS_H

#include "store/store.h"

#define SIMILAR_GROUP 10 /* memories of one group, at most */

/* Memories that are alike by their words. Whether they contradict each other is not
 * checked. */
struct similar_group {
	const struct record
		*members[SIMILAR_GROUP]; /* heads, by id; borrowed */
	size_t n;
	int percent; /* the lowest similarity to the first member */
};

/* Call FN for each group of current memories of S that are alike to its first
 * member, by id, by at least PERCENT, which is not 0. Each memory is in one
 * group at most. Sensitive memories and broken files are left out, without a
 * report. If FN returns nonzero, stop and return that. Return -1 with E set if
 * the directory cannot be read. */
typedef int similar_group_fn(void *ctx, const struct similar_group *g);
int similar_groups(struct store *s, int percent, similar_group_fn *fn,
		   void *ctx, struct err *e);

#endif
