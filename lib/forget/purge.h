/* purge.h: removing a memory, an article, or a text, from all places that are ours.
 *
 * These are the memories, drafts, trash, archive and whatever else the store keeps
 * of what was changed, in the work tree and in each other one of its clone; the
 * cache; the pages of `co browse`; and the edits that were kept.  Files that hold
 * other things as well are left to a person.
 */
#ifndef CO_FORGET_PURGE_H
#define CO_FORGET_PURGE_H

#include "history/traces.h"
#include "store/store.h"

/* An article: all that came from its source, and the attachments that no other
 * article of its store names.  Zeroed at first; release with
 * purge_article_release(). */
struct purge_article {
	const char *source;   /* NULL: it is none */
	struct strings files; /* that it is known to have been, from the root */
	struct strings attachments; /* that it is known to have named, below
				     * knowledge/ */
	struct arena arena;
};

struct purge {
	struct store *s;
	struct traces *traces; /* what is looked for */
	int64_t id;	       /* of the memory, and only that goes; 0: what has
				* one of the traces goes */
	struct purge_article *article; /* only that goes; NULL: it is none */
	const char *path; /* of another file, from the root: only that goes */
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

/* Find the article that OPERAND is or was in S, there or in the trash, by its path:
 * 1, and ARTICLE has its source; 0; -1. */
int purge_article_find(struct purge_article *article, struct store *s,
		       const char *operand, struct err *e);

/* True if a file with FRONTMATTER is one of ARTICLE, of which the attachment is then
 * known. */
bool purge_article_has(struct purge_article *article,
		       const struct value *frontmatter);

/* Have T look for what ARTICLE of S says in articles, drafts and trash, and for the
 * attachments, of which those stay known that no other article names. */
int purge_article_collect(struct purge_article *article, struct store *s,
			  struct traces *t, struct err *e);

void purge_article_release(struct purge_article *article);

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
