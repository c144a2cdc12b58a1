/* touches.h: what each step of a history did to each file, as git and the work
 * tree tell it; see changes.h for what that did to memories.
 */
#ifndef CO_HISTORY_TOUCHES_H
#define CO_HISTORY_TOUCHES_H

#include "base/table.h"
#include "history/steps.h"
#include "store/store.h"

/* What a step did to one file: the versions that its parents had, the first
 * of these in front, and what it has; NULL for none. */
struct touch {
	size_t step; /* its place in the history */
	struct version **was;
	size_t nwas; /* one but for a merge, which has more */
	struct version *now;
};

struct touches {
	struct history *h; /* gets the steps, and has all else in its arena */
	struct store *store;
	struct repo *repo; /* its */
	const struct history_want *want;
	const char *dir;    /* of the work tree, where git is asked */
	const char *index;  /* the file that git calls so */
	const char *sparse; /* that which says what is checked out; or NULL */
	const char
		*prefix; /* of the root's files as git has them: "a/.co-cli/",
			     * or "", where the root is the top */

	struct version **versions;
	size_t nversions, versions_cap;
	struct table by_blob;

	struct touch *items; /* by step */
	size_t n, cap;
	struct table
		by_path; /* of the first step, where that is the work tree */
	size_t kept;	 /* bytes of texts that stay at hand */
	struct arena scratch; /* of one that does not */
	struct touches_index {
		struct indexed *files; /* of the first N touches */
		size_t n;
		int64_t written; /* when, in ns since 1970 */
	} in_index; /* what git's index has of the work tree, where it was read */
};

/* Make ALL empty, for what W asks of S: 1, 0: it lies in no work tree of git,
 * -1.  Release with touches_release(), whatever is returned. */
int touches_open(struct touches *all, struct history *h, struct store *s,
		 const struct history_want *w, struct err *e);
void touches_release(struct touches *all);

/* The commit that REV names, or that A and B come from, by its full name, in the
 * arena; NULL with E filled, ERR_USAGE where there is none. */
const char *touches_commit(struct touches *all, const char *rev, struct err *e);
const char *touches_base(struct touches *all, const char *a, const char *b,
			 struct err *e);

/* Add the steps that the commits behind HEAD are. */
int touches_log(struct touches *all, const char *head, struct err *e);

/* Add the step from the commit A to B. */
int touches_diff(struct touches *all, const char *a, const char *b,
		 struct err *e);

/* Add the step from the commit A (NULL: from nothing) to the work tree, the first
 * of ALL. */
int touches_work_tree(struct touches *all, const char *a, struct err *e);

/* Read git's index, which knows of files that were what HEAD has when it was
 * written.  Where it cannot be read, it knows of none. */
void touches_read_index(struct touches *all);

/* True if the file of T, of the step that the work tree is, has been what that was
 * since git last looked. */
bool touches_is_current(const struct touches *all, const struct touch *t);

/* Add a step in which all goes that the commit REV has. */
int touches_tree(struct touches *all, const char *rev, struct err *e);

/* Look at each version that some step made or took away, or with EACH at all:
 * what is kept of it is known then (see version.h), and of one memory, or where
 * there are few, the texts stay at hand. */
int touches_look(struct touches *all, bool each, struct err *e);

/* Call FN for each file that the commit REV has at and below BELOW, from the root:
 * MODE as git prints it, the LEN bytes of its blob's name, and its path from the
 * root. */
typedef void touches_file_fn(void *ctx, const char *mode, const char *blob,
			     size_t len, const char *path);
int touches_each_file(struct touches *all, const char *rev, const char *below,
		      touches_file_fn *fn, void *ctx, struct err *e);

#endif
