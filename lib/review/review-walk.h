/* review-walk.h: asking a person about each draft, or each memory that is due, as
 * `git add -p` asks about hunks. */
#ifndef CO_REVIEW_REVIEW_WALK_H
#define CO_REVIEW_REVIEW_WALK_H

#include "review/review.h"

/* How the person is talked to. */
struct review_walk_ui {
	/* Ask what one key answers: it, or 0 at the end of the input. */
	int (*key)(const char *question);
	/* Ask; false at the end of the input.  ANSWER's contents are replaced by
	 * the line. */
	bool (*ask)(const char *question, struct buf *answer);
	void (*show)(const char *p, size_t len);
	/* One line that is no answer. */
	void (*note)(const char *fmt, ...) PRINTF(1, 2);
	review_fn *accepted; /* for each, or why it was not */
	const struct coloring *coloring;
};

/* Walk through V by UI until its end, the person's `q` or the end of the input:
 * 0, or -1 when a draft could not be read. */
int review_walk(struct review *v, const struct review_walk_ui *ui,
		struct err *e);

#endif
