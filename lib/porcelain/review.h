/* review.h: a walk through the drafts of a store, one after the other.
 *
 * The drafts are those that wait when the walk begins.  Others may save, list
 * and review meanwhile: what is accepted is what was shown, or nothing, and a
 * draft that is gone by then is passed over.
 */
#ifndef CO_PORCELAIN_REVIEW_H
#define CO_PORCELAIN_REVIEW_H

#include "porcelain/similar.h"

struct review {
	struct store *s;
	struct similar *similar;
	const char **paths; /* in the order of their numbers */
	size_t n, cap;
	size_t next; /* the draft at hand is the one before */
	size_t accepted, rejected;

	/* The draft at hand, until the next step. */
	const char *path;
	struct buf text;      /* its file */
	bool broken;	      /* it is no memory; FAULT says why */
	struct record record; /* unless it is broken */
	struct err fault;
	struct arena arena;

	struct arena names; /* holds the paths */
};

/* Begin a walk through the drafts of S: 0 or -1.  Release with
 * review_release() whatever it returns. */
int review_begin(struct review *v, struct store *s, struct err *e);
void review_release(struct review *v);

/* Go to the next draft that is there still: 1, 0 at the end, -1 when that one
 * cannot be read; the walk may go on. */
int review_next(struct review *v, struct err *e);

/* Read the draft at hand again, as review_next(). */
int review_again(struct review *v, struct err *e);

/* Append the draft at hand for a person's eyes: where it comes from, what it
 * replaces, what is like it, and its text, each line behind a mark of its own
 * so that no text can pass for anything else.  Safe for a terminal. */
void review_show(struct buf *out, struct review *v);

/* Accept it, as it was shown, and with REST all later ones from its source as
 * they are.  FN is called for each: with R, the memory, and the path of what it
 * replaced or NULL; or with NULL and E, why it was not accepted.  Of the one at
 * hand that is the result: 0, or -1 as drafts_accept(). */
typedef void review_fn(const struct record *r, const char *replaced,
		       const struct err *e);
int review_accept(struct review *v, bool rest, review_fn *fn, struct err *e);

/* Reject it, and with REST all later ones from its source, in one step.  *N is
 * how many. */
int review_reject(struct review *v, bool rest, size_t *n, struct err *e);

/* Add the tags of LINE, commas between them, to the draft at hand, and take
 * those away that stand behind a `-`.  Read it again after. */
int review_tag(struct review *v, const char *line, struct err *e);

/* Replace its text by TEXT, edited.  Read it again after. */
int review_replace(struct review *v, const struct buf *text, struct err *e);

#endif
