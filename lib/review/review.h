/* review.h: a walk through the drafts of a store, or through memories that are due
 * for review, one after the other.
 *
 * The drafts are those that wait when the walk begins.  Others may save, list
 * and review meanwhile: what is accepted is what was shown, or nothing, and a
 * draft that is gone by then is passed over.
 */
#ifndef CO_REVIEW_REVIEW_H
#define CO_REVIEW_REVIEW_H

#include "search/similar.h"

/* What was decided; the first two of drafts, and the second of memories, with
 * those that follow. */
enum review_what {
	REVIEW_ACCEPTED,
	REVIEW_REJECTED, /* it is in the trash */
	REVIEW_KEPT,
	REVIEW_ARCHIVED,
	REVIEW_EDITED,
	REVIEW_WHATS
};

/* A decision that can be taken back. */
struct review_done {
	enum review_what what;
	size_t at;	  /* which of the paths */
	size_t step;	  /* those of one step go back together */
	const char *path; /* where it is now, a memory or in the trash */
	struct buf text;  /* of the memory */
	struct buf was;	  /* the same before, where it was rewritten */
	const char *replaced;
};

struct review {
	struct store *s;
	struct similar *similar; /* NULL until something is shown */
	const char **paths;	 /* in the order of their numbers */
	size_t n, cap;
	size_t next; /* the draft at hand is the one before */
	size_t counts[REVIEW_WHATS];
	bool due; /* these are memories */

	struct review_done *done;
	size_t ndone, done_cap, steps;

	/* The draft at hand, until the next step. */
	const char *path;
	struct buf text;      /* its file */
	bool broken;	      /* it is no memory; FAULT says why */
	struct record record; /* unless it is broken */
	struct err fault;
	struct arena arena;

	struct arena names; /* holds the paths */
};

/* Begin a walk through the drafts of S, or where PATHS is not NULL through those
 * N alone, which are memories if `due` is set before the first step: 0 or -1.
 * Release with review_release() whatever it returns. */
int review_begin(struct review *v, struct store *s, const char *const *paths,
		 size_t n, struct err *e);
void review_release(struct review *v);

/* Go to the next draft that is there still: 1, 0 at the end, -1 when that one
 * cannot be read; the walk may go on. */
int review_next(struct review *v, struct err *e);

/* Go back to the one before that is there still, as review_next(); 0 where there
 * is none, and the one at hand stays. */
int review_back(struct review *v, struct err *e);

/* Read the draft at hand again, as review_next(). */
int review_again(struct review *v, struct err *e);

/* Append the draft at hand for a person's eyes: where it comes from, what it
 * replaces and what of that changes, what is like it, and its text, each line
 * behind a mark of its own so that no text can pass for anything else.  Safe for
 * a terminal, coloured by C. */
void review_show(struct buf *out, struct review *v, const struct coloring *c);

/* Accept the draft at PATH if it still is WAS (NULL: whatever it is), by what it
 * is to become: 1, an item or an article, as drafts_convert(); 0, a memory, or
 * -1, both as drafts_accept(), which R and *REPLACED are of. */
int review_accept_draft(struct store *s, const char *path,
			const struct buf *was, struct arena *a,
			struct record *r, const char **replaced, struct err *e);

/* What is decided on beside the draft at hand: all later ones from its source,
 * or with TAG, unless that is NULL. */
struct review_rest {
	const char *tag;
};

/* Accept it, as it was shown, and the REST (may be NULL) as they are.  FN is
 * called for each: with R, the memory, and the path of what it replaced or NULL;
 * or with NULL and E, why it was not accepted.  Of the one at hand that is the
 * result: 0, or -1 as drafts_accept(). */
typedef void review_fn(const struct record *r, const char *replaced,
		       const struct err *e);
int review_accept(struct review *v, const struct review_rest *rest,
		  review_fn *fn, struct err *e);

/* Reject it and the REST (may be NULL) in one step.  *N is how many. */
int review_reject(struct review *v, const struct review_rest *rest, size_t *n,
		  struct err *e);

/* Of the memory at hand, if it still is what was shown: set KEY to V, or with NULL
 * take it out, as WHAT (KEPT or ARCHIVED); move it to the trash.  0, or -1: ERR_BUSY
 * where it is another by now, ERR_NO where it is gone. */
int review_mark(struct review *v, enum review_what what, const char *key,
		const struct value *value, struct err *e);
int review_forget(struct review *v, struct err *e);

/* Take the last of these steps back, edits of memories among them: *N wait again,
 * and the first of them is the one at hand; 0 where nothing was decided.  -1: what could not be taken
 * back stays as it was decided, as where a memory was changed since. */
int review_undo(struct review *v, size_t *n, struct err *e);

/* Add the tags of LINE, commas between them, to the draft at hand, and take
 * those away that stand behind a `-`.  Read it again after. */
int review_tag(struct review *v, const char *line, struct err *e);

/* Replace its text by TEXT, edited.  Read it again after. */
int review_replace(struct review *v, const struct buf *text, struct err *e);

#endif
