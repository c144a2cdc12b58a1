/* order.h: compare texts by their sets of lines, ignoring the order.
 *
 * If two people resolve the same conflict, each keeps both lines, but with
 * their own first. When these versions meet, git reports a conflict again or
 * duplicates a line, even if one of them added something since. Blank lines
 * and repeated lines are ignored here.
 */
#ifndef CO_MERGE_ORDER_H
#define CO_MERGE_ORDER_H

#include "merge/merge-version.h"

/* Return true if A and B have the same set of lines. */
bool order_same(struct merge_text a, struct merge_text b);

/* Set *ONE to the one of OURS and THEIRS that is the merge of both, and return true,
 * if one has all lines of the other. It is the larger set if its extra lines are all
 * new, and the smaller set if they are all in BASE, so that the other side removed
 * them. Of equal sets it is the longer text, so that no repeated line is lost, or
 * else the lower by bytes. Return false if neither is. The result does not depend on
 * which side is ours. */
bool order_pick(struct merge_text base, struct merge_text ours,
		struct merge_text theirs, struct merge_text *one);

#endif
