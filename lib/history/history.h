/* history.h: what git's commits, and later edits of the work tree, did to a
 * store.
 *
 * A step is a commit or the work tree. A change is what a step did to one
 * memory, in whatever file it is, or to one other document. A memory is
 * identified by the id in its frontmatter, or by the number of its file name if
 * the frontmatter is unreadable. The change of a merge is what differs from
 * all its parents.
 */
#ifndef CO_HISTORY_HISTORY_H
#define CO_HISTORY_HISTORY_H

#include "history/version.h"
#include "store/store.h"

/* Fill W for OPERAND, an id or a path in S. A path may belong to a deleted
 * file. W is allocated in A. ERR_USAGE if the store cannot contain
 * OPERAND. */
int history_want(struct history_want *w, struct store *s, const char *operand,
		 struct arena *a, struct err *e);

/* Fill H, which must be zeroed, with the history of W in S: HEAD and the work
 * tree. Outside git, or before the first commit, H only has the work tree.
 * Returns 0 or -1, ERR_HELPER. Release with history_release(), also on
 * failure. */
int history_load(struct history *h, struct store *s,
		 const struct history_want *w, struct err *e);

/* Fill H with one step from the commit A to the commit B, or to the work tree
 * if B is NULL. With BASE, the step begins at the merge base of both.
 * ERR_USAGE if a commit does not exist; ERR_SYSTEM if the store is not in a git
 * work tree. */
int history_compare(struct history *h, struct store *s, const char *a,
		    const char *b, bool base, struct err *e);

/* Which changes history_each_change() calls FN for, and with which texts. */
struct history_walk {
	size_t max;			     /* the first so many */
	const struct instant *since, *until; /* inclusive; NULL: no limit */
	bool both; /* load the old text of every change, not only of edits */
	void (*fn)(void *ctx, const struct step *s, const struct change *c);
	void *ctx;
};

/* Call W->fn for the changes of H that W selects, newest first. The texts of
 * their versions are loaded until it returns. A change that is not committed
 * and has no time, such as a removal, counts as made now. Returns 0 or -1,
 * ERR_HELPER. */
int history_each_change(struct history *h, const struct history_walk *w,
			struct err *e);

/* Call FN for each memory and document in the commit REV of S, or in the work
 * tree if REV is NULL. The versions live in H's arena; their texts are not
 * loaded. */
typedef void history_version_fn(void *ctx, const struct version *v);
int history_each_in(struct history *h, struct store *s, const char *rev,
		    history_version_fn *fn, void *ctx, struct err *e);

/* Call FN for each file in the commit REV of S or in its work tree. WAS is the
 * version in REV and NOW that in the work tree; NULL if absent there. Memory
 * as in history_each_in(). */
typedef void history_both_fn(void *ctx, const struct version *was,
			     const struct version *now);
int history_each_since(struct history *h, struct store *s, const char *rev,
		       history_both_fn *fn, void *ctx, struct err *e);

/* Write the files that the commit REV of S has to a temporary directory, and call FN with
 * the store there, WAS. If the commit has no store, FN is not called. Then remove the
 * directory, and the cache of WAS. Return the result of FN, 0, or -1 with
 * ERR_HELPER if git lacks objects here. */
typedef int history_store_fn(void *ctx, struct store *was, struct err *e);
int history_with_store(struct store *s, const char *rev, history_store_fn *fn,
		       void *ctx, struct err *e);

/* Set E to the error that git lacks objects of the commit REV of S. Returns
 * -1. */
int history_set_lacking(struct err *e, const struct store *s, const char *rev);

struct blame_line {
	const struct step *step;
	const struct change *change; /* a change of that step */
	const char *p;		     /* without line end */
	size_t len;
};

struct blame {
	struct blame_line *lines;
	size_t n;
	size_t head; /* the lines before the first of the content: the frontmatter */
};

/* Find the step that wrote each line of a memory. Lines are followed through all versions
 * in the history, across renames, and through all parents of a merge.
 *
 * Fill B with the lines of the latest version in H, or of the last one before
 * it was deleted. H must be about one memory or document. B is allocated in
 * H's arena. Returns false if no version is known. */
bool history_blame(struct blame *b, struct history *h);

void history_release(struct history *h);

#endif
