/* order.h: compare texts by their sets of lines, ignoring the order.
 *
 * If two people resolve the same conflict, each keeps both lines, but with
 * their own first.  When these versions meet, git reports a conflict again or
 * duplicates a line, even if one of them added something since.  Blank lines
 * and repeated lines are ignored here.
 */
#ifndef CO_MERGE_ORDER_H
#define CO_MERGE_ORDER_H

#include "merge/merge-version.h"

/* Return true if A and B have the same set of lines. */
bool order_same(struct merge_text a, struct merge_text b);

/* Return true if one of OURS and THEIRS has all lines of the other and can be
 * taken for both.  Sets *ONE to it: the larger set if its extra lines are all
 * new, the smaller set if they are all in BASE, so that they were removed.  For
 * equal sets it is the longer text, so that no repeated line is lost, or else
 * the lower by bytes.  The result does not depend on which side is ours. */
bool order_settle(struct merge_text base, struct merge_text ours,
		  struct merge_text theirs, struct merge_text *one);

#endif
