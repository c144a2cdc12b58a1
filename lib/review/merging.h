/* merging.h: proposing one memory for several that are alike.
 *
 * A proposal is a draft that `replaces` them all: accepted, it takes their place
 * in one step; rejected, nothing changes.  `group` in its frontmatter says which
 * they were and what they said, so that as long as the draft waits, or lies in the
 * trash, the same group is not proposed again, and is as soon as one of them
 * changes.
 *
 * The text is a model's, where one is set: what it is given is redacted, can not
 * end its wrapper, and what it replies is the body of the draft and nothing else.
 * Without one, or where the model was asked for nothing, it is a list for the
 * editor.  In either, the last lines name the memories that it comes from.
 */
#ifndef CO_REVIEW_MERGING_H
#define CO_REVIEW_MERGING_H

#include "search/similar.h"

#define MERGING_ALIKE 50 /* per cent */

struct merging {
	size_t max; /* groups */
	bool dry;   /* ask no model, save nothing */
	/* Called for each group; DRAFT is NULL in a dry run. */
	void (*tell)(void *ctx, const struct similar_group *g,
		     const struct record *draft);
	void *ctx;

	size_t proposed, more; /* groups; those beyond MAX */
	size_t refused; /* what was to be proposed, but cannot be saved */
};

/* Propose for the memories of S, by the model of the user's settings; ARGV0 is
 * what the program was called as, REPORT gets what is wrong with one group.
 * -1: ERR_SYSTEM; ERR_HELPER, the model failed, and nothing more was asked. */
int merging_run(struct merging *m, struct store *s, const char *argv0,
		const struct report *report, struct err *e);

#endif
