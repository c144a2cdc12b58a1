/* history.h: what git's commits, and the work tree since, did to a store.
 *
 * A step is one of them; a change is what it did to one memory, wherever its
 * file went, or to one other document.  A memory is known by the id in its
 * frontmatter, and by the number of its name where that cannot be read.  What a
 * merge did is what it has of neither side.
 */
#ifndef CO_HISTORY_HISTORY_H
#define CO_HISTORY_HISTORY_H

#include "history/steps.h"
#include "store/store.h"

/* Fill W with what OPERAND, an id or a path, means in S: a path may be of what is
 * gone.  In A.  ERR_USAGE where it can be nothing of the store. */
int history_want(struct history_want *w, struct store *s, const char *operand,
		 struct arena *a, struct err *e);

/* Fill H, which is zeroed, with what became of W in S, in HEAD and the work
 * tree; outside git, and before the first commit, with what the
 * files say.  -1: ERR_HELPER.  Release with history_release(), also then. */
int history_load(struct history *h, struct store *s,
		 const struct history_want *w, struct err *e);

/* Fill H with one step from the commit A to B, or with NULL to the work tree;
 * with BASE from what both come from.  ERR_USAGE: no such commit; ERR_SYSTEM:
 * the store is in no git work tree. */
int history_compare(struct history *h, struct store *s, const char *a,
		    const char *b, bool base, struct err *e);

/* Call FN for the first MAX changes of H, the newest first, with the texts of their
 * versions at hand as long as it runs.  -1: ERR_HELPER. */
typedef void history_change_fn(void *ctx, const struct step *s,
			       const struct change *c);
int history_each_change(struct history *h, size_t max, history_change_fn *fn,
			void *ctx, struct err *e);

/* Call FN for each memory and document in the commit REV of S, or with NULL in its
 * work tree; H's arena holds them.  Their texts are not at hand. */
typedef void history_version_fn(void *ctx, const struct version *v);
int history_each_in(struct history *h, struct store *s, const char *rev,
		    history_version_fn *fn, void *ctx, struct err *e);

/* Call FN for each file that the commit REV of S has, or its work tree: WAS and NOW,
 * NULL where it is not there.  As above. */
typedef void history_both_fn(void *ctx, const struct version *was,
			     const struct version *now);
int history_each_since(struct history *h, struct store *s, const char *rev,
		       history_both_fn *fn, void *ctx, struct err *e);

/* Write what the commit REV has of S below the folder DIR,
 * under the name of its root: links as links that lead nowhere, and what is no
 * file of a path that can be one is left out.  ERR_HELPER: git has not all of it
 * here. */
int history_lay_out(struct store *s, const char *rev, const char *dir,
		    struct err *e);

/* Fill E for what needs all of the commit REV of S, of which git has not all here;
 * always -1. */
int history_set_lacking(struct err *e, const struct store *s, const char *rev);

void history_release(struct history *h);

#endif
