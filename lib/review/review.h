/* review.h: a walk through the drafts of a store, or through memories that are
 * due for review.
 *
 * The list of drafts is fixed at the start. Other processes may change the
 * store meanwhile: a draft is accepted only if its text is still the one shown,
 * and a draft that is gone is skipped.
 */
#ifndef CO_REVIEW_REVIEW_H
#define CO_REVIEW_REVIEW_H

#include "search/similar.h"

/* A decision. Drafts are accepted or rejected; memories are rejected, kept,
 * archived or edited. */
enum review_what {
	REVIEW_ACCEPTED,
	REVIEW_REJECTED, /* it is in the trash */
	REVIEW_KEPT,
	REVIEW_ARCHIVED,
	REVIEW_EDITED,
	REVIEW_WHATS
};

/* A decision that can be undone. */
struct review_done {
	enum review_what what;
	size_t at;	  /* index in `paths` */
	size_t step;	  /* decisions of one step are undone together */
	const char *path; /* current path, of a memory or in the trash */
	struct buf text;  /* text of the memory */
	struct buf was;	  /* text before the change, if it was rewritten */
	const char *replaced;
};

struct review {
	struct store *s;
	struct similar *similar; /* NULL until the first draft is shown */
	const char **paths;	 /* sorted by id */
	size_t n, cap;
	size_t next; /* index after the current draft */
	size_t counts[REVIEW_WHATS];
	bool due; /* memories, not drafts */

	struct review_done *done;
	size_t ndone, done_cap, steps;

	/* The current draft or memory, valid until the next step. */
	const char *path;
	struct buf text;      /* contents of its file */
	bool broken;	      /* not a memory; FAULT says why */
	struct record record; /* unset if broken */
	struct err fault;
	struct arena arena;

	struct arena names; /* holds the paths */
};

/* Begin a walk through all drafts of S, or through the N PATHS if that is not
 * NULL. For a walk through memories, the caller sets `due` before the first
 * step. Return 0 or -1. Call review_release() in either case. */
int review_begin(struct review *v, struct store *s, const char *const *paths,
		 size_t n, struct err *e);
void review_release(struct review *v);

/* Move to the next draft that still exists. Return 1, 0 at the end, or -1 if it
 * cannot be read; the walk can continue after an error. */
int review_next(struct review *v, struct err *e);

/* Move back to the previous draft that still exists. Return as review_next();
 * after 0, the current draft is unchanged. */
int review_back(struct review *v, struct err *e);

/* Read the current draft again. Return as review_next(). */
int review_again(struct review *v, struct err *e);

/* Append the current draft for display: its fields, what it replaces with the
 * differences, similar memories, and its text. Each line of text follows a
 * marker, so that the text cannot imitate other output. The result is safe for
 * a terminal, and coloured by C. */
void review_show(struct buf *out, struct review *v, const struct coloring *c);

/* Accept the draft at PATH if its text is WAS (NULL: any). Return 1 if it
 * became an item or an article, as drafts_convert(); 0 if it became a memory,
 * R, which replaced *REPLACED; or -1. See drafts_accept(). */
int review_accept_draft(struct store *s, const char *path,
			const struct buf *was, struct arena *a,
			struct record *r, const char **replaced, struct err *e);

/* The later drafts that are decided together with the current one: those with
 * TAG, or if TAG is NULL those from the same source. */
struct review_rest {
	const char *tag;
};

/* Accept the current draft as it was shown, and the REST (may be NULL) as they
 * are. FN is called for each: with the memory R and the path of what it
 * replaced, or NULL; or with R NULL and the error E. Return the result for the
 * current draft: 0, or -1 as drafts_accept(). */
typedef void review_fn(const struct record *r, const char *replaced,
		       const struct err *e);
int review_accept(struct review *v, const struct review_rest *rest,
		  review_fn *fn, struct err *e);

/* Reject the current draft and the REST (may be NULL) in one operation. Set *N
 * to the number rejected. */
int review_reject(struct review *v, const struct review_rest *rest, size_t *n,
		  struct err *e);

/* Set KEY of the current memory to VALUE, or remove KEY if VALUE is NULL; WHAT
 * is REVIEW_KEPT or REVIEW_ARCHIVED. Return 0, or -1: ERR_BUSY if the memory
 * differs from what was shown, ERR_NO if it is gone.
 *
 * review_forget() moves the memory to the trash under the same condition.
 */
int review_mark(struct review *v, enum review_what what, const char *key,
		const struct value *value, struct err *e);
int review_forget(struct review *v, struct err *e);

/* Undo the last step, including edits of memories. Set *N to the number of
 * drafts that wait again; the first of them becomes the current one. Return 0
 * (with *N 0 if there is nothing to undo), or -1 if some decisions could not be
 * undone, for example because a memory has changed since. */
int review_undo(struct review *v, size_t *n, struct err *e);

/* Change the tags of the current draft. LINE lists tags separated by commas:
 * `-TAG` removes TAG, others are added. Call review_again() afterwards. */
int review_tag(struct review *v, const char *line, struct err *e);

/* Replace the text of the current draft by TEXT. Call review_again()
 * afterwards. */
int review_replace(struct review *v, const struct buf *text, struct err *e);

/* Walk through V and ask a person about each draft, or each memory that is due, as
 * `git add -p` asks about hunks, until its end, the key `q` or the end of the input.
 * ACCEPTED is called for each acceptance and each failure. Return 0, or -1 if a draft
 * could not be read. */
int review_walk(struct review *v, const struct coloring *c, review_fn *accepted,
		struct err *e);

#endif
