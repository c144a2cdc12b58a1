/* review-walk.h: ask a person about each draft, or each memory that is due, as
 * `git add -p` asks about hunks.
 */
#ifndef CO_REVIEW_REVIEW_WALK_H
#define CO_REVIEW_REVIEW_WALK_H

#include "review/review.h"

/* How to talk to the person. */
struct review_walk_ui {
	/* Ask a question that one key answers. Return the key, or 0 at the end
	 * of the input. */
	int (*key)(const char *question);
	/* Ask a question and replace the contents of ANSWER by the line typed.
	 * Return false at the end of the input. */
	bool (*ask)(const char *question, struct buf *answer);
	void (*show)(const char *p, size_t len);
	/* Print one line that is not part of the answer. */
	void (*note)(const char *fmt, ...) PRINTF(1, 2);
	review_fn *accepted; /* called for each acceptance and each failure */
	const struct coloring *coloring;
};

/* Walk through V until its end, the key `q` or the end of the input. Return 0,
 * or -1 if a draft could not be read. */
int review_walk(struct review *v, const struct review_walk_ui *ui,
		struct err *e);

#endif
