/* intake.h: save the lines of an import.
 *
 * A line is a memory or an item (see harvest/items.h) that exchange_read() found. A
 * text that the store has already is not saved again.
 */
#ifndef CO_EXCHANGE_INTAKE_H
#define CO_EXCHANGE_INTAKE_H

#include "base/strings.h"
#include "harvest/items.h"

/* Zero it, then set the store of ITEMS, and ACCEPT. */
struct intake {
	struct item_lines items;
	bool accept; /* save memories instead of drafts, and accept drafts that
		      * wait with the same text */
	size_t saved, known, waiting; /* totals so far */
	size_t unloaded; /* marked `always`, but saved without that */

	/* Private. */
	struct arena arena;
	struct strings drafts; /* to accept, by path */
};

/* Save the line in the LEN bytes of P. With ACCEPT, a draft that waits is accepted by
 * intake_finish(), since each acceptance makes the store look through all drafts again.
 * A is for temporary values. Return 0, or -1 with ERR_DATA if this line alone cannot be
 * saved. */
int intake_line(struct intake *in, const char *p, size_t len, struct arena *a,
		struct err *e);

/* Save what is left, and complete the totals. What cannot be saved is reported by the
 * store, and FAILED set to ERR_DATA. Return 0, or -1 if the others cannot be saved
 * either. */
int intake_finish(struct intake *in, enum err_code *failed, struct err *e);

#endif
