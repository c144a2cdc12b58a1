/* merging.h: propose one memory in place of several similar ones.
 *
 * A proposal is a draft that `replaces` all of them. Accepting it replaces them
 * in one step; rejecting it changes nothing. The frontmatter key `group` is a
 * hash of the memories and their texts. While the draft waits or is in the
 * trash, the same group is not proposed again. A change of any of the memories
 * makes it a new group.
 *
 * The text is written by the model, if one is configured. The memories are
 * redacted and wrapped before they are sent, and the reply becomes the body of
 * the draft and nothing else. Without a model, the draft lists the memories,
 * for the user to edit. In both cases the last lines name the memories that
 * were merged.
 */
#ifndef CO_REVIEW_MERGING_H
#define CO_REVIEW_MERGING_H

#include "search/similar.h"

#define MERGING_ALIKE 50 /* minimum similarity, per cent */

struct merging {
	size_t max; /* groups to propose */
	bool dry;   /* call no model, save nothing */
	/* Called for each group. DRAFT is NULL in a dry run. */
	void (*tell)(void *ctx, const struct similar_group *g,
		     const struct record *draft);
	void *ctx;

	size_t proposed, more; /* number of groups; those beyond MAX */
	size_t refused;	       /* proposals that could not be saved */
};

/* Propose drafts for the memories of S with the model of the user's settings.
 * ARGV0 is argv[0] of the program. REPORT receives errors of single groups.
 * Return 0, or -1: ERR_SYSTEM; ERR_HELPER if the model failed, which ends the
 * run. */
int merging_run(struct merging *m, struct store *s, const char *argv0,
		const struct report *report, struct err *e);

#endif
