/* order.h: texts of which one says all lines of the other, in whatever order.
 *
 * Two people who settle one conflict keep both lines, each of them ours first.
 * When they meet again, git sees a conflict again, or takes a line twice; it does
 * so too where one of them has added something since.  Blank lines, and how often
 * a line is there, do not matter here.
 */
#ifndef CO_MERGE_ORDER_H
#define CO_MERGE_ORDER_H

#include "merge/version.h"

/* True if A and B say the same lines. */
bool order_same(struct merge_text a, struct merge_text b);

/* True if one of OURS and THEIRS says all that is to stay of both, and *ONE is it,
 * whoever asks: where one says more, it, if it added all of that to BASE, or the
 * other, if the other took all of that away; where they say the same, the longer,
 * so that no line that is there twice is lost, or else the lesser by its bytes. */
bool order_settle(struct merge_text base, struct merge_text ours,
		  struct merge_text theirs, struct merge_text *one);

#endif
