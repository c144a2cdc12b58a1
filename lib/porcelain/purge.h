/* purge.h: removing a memory, or a text, from all places that are ours.
 *
 * These are the memories, drafts, trash, archive and whatever else the store keeps
 * of what was changed, in the work tree and in each other one of its clone; the
 * cache; the pages of `co browse`; and the edits that were kept.  Files that hold
 * other things as well are left to a person.
 */
#ifndef CO_PORCELAIN_PURGE_H
#define CO_PORCELAIN_PURGE_H

#include "history/traces.h"
#include "store/store.h"

struct purge {
	struct store *s;
	struct traces *traces; /* what is looked for */
	int64_t id;	       /* of the memory, and only that goes; 0: what has
				* one of the traces goes */
	const char *path; /* of an article, from the root: only that goes */
	bool dry;
	void (*gone)(void *ctx, const char *path);
	void *ctx;
};

/* Remove it, or with DRY tell alone what would be.  The working directory is
 * another meanwhile. */
int purge_run(struct purge *p, struct err *e);

/* Have T look for all texts that the memory ID of S has had in drafts and
 * trash. */
int purge_collect(struct store *s, int64_t id, struct traces *t, struct err *e);

/* What is known of where it still stands. */
struct purge_history {
	struct strings paths; /* that commits have it in, from git's top */
	struct strings names; /* that files of it alone had, from the root */
	bool texts;	      /* it is a text, so that whole memories go */
	bool in_index, in_messages;
	bool origin; /* there is a remote of that name */
};

/* Have T look at every place that is ours, and at git's: what is called by H, in
 * A, goes there. */
int purge_look(struct store *s, struct traces *t, struct purge_history *h,
	       struct arena *a, struct err *e);

/* Note that it was found at WHERE, as traces.h has it. */
void purge_note(struct purge_history *h, const char *where);

/* Append the commands, filled in, that take it out of git. */
void purge_commands(struct buf *out, const struct purge_history *h);

#endif
