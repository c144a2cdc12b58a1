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
#include "store/display.h"

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
	void (*fn)(void *ctx, const struct history_step *s,
		   const struct history_change *c);
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
	const struct history_step *step;
	const struct history_change *change; /* a change of that step */
	const char *p;			     /* without line end */
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

/* The chains of memories that replaced each other.
 *
 * A replaced memory names its replacement (`superseded`); a draft names what it
 * is to replace (`replaces`). Each of these ids must be that of a memory, an
 * archived or a deleted one included, and no memory may replace itself,
 * directly or through others. What a memory replaced (`supersedes`) is not current.
 *
 * A memory in the archive that was not replaced was put there by git: if all
 * memories of a directory were replaced, git takes the directory for renamed,
 * and moves new files of others into the archive too. */

/* The fault of a memory that was not replaced, and whose id no other memory has. */
#define HISTORY_LOST "archive"

/* Called with each fault. KIND is HISTORY_LOST or "chain". TEXT begins with
 * the place in the file at PATH. REMEDY says what to do. KIND and REMEDY are
 * static. */
typedef void history_fault_fn(void *ctx, const char *kind, const char *path,
			      const char *text, const char *remedy);

/* Report the faults of S to FN. Faults in an unreadable directory or file are
 * skipped; if it belongs to the memories or the archive, the result is -1:
 * ERR_SYSTEM, or ERR_DATA if a file is where a directory is expected. */
int history_check_chains(struct store *s, history_fault_fn *fn, void *ctx,
			 struct err *e);

/* Find the memory ID of S, and all memories that it replaced or that replaced
 * it, directly or not. Sets OUT, allocated in A, newest first; it is empty if
 * there is no such memory. */
int history_follow_chain(struct store *s, int64_t id, struct arena *a,
			 struct records *out, struct err *e);

#endif
