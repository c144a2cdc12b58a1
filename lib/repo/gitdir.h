/* gitdir.h: where git keeps what belongs to a work tree, found by reading, never
 * by running git.
 *
 * The top of the work tree is the nearest folder that holds `.git`.  That is
 * the git dir itself, or a file that names it (a linked work tree, a submodule,
 * `git init --separate-git-dir`); a linked work tree's names in turn, in
 * `commondir`, the one that all work trees of the clone share.
 */
#ifndef CO_REPO_GITDIR_H
#define CO_REPO_GITDIR_H

#include "base/err.h"

struct gitdir {
	char *top;	/* of the work tree; absolute, as the others */
	char *dir;	/* its own git dir */
	char *common;	/* what is shared; the same, unless it is linked */
	bool linked;	/* it has a `commondir` */
	bool is_folder; /* `.git` is one */
};

/* Find the git dir of the work tree that the absolute path FOLDER lies in: 1 and
 * *G is filled, release with gitdir_release(); 0: it lies in none; -1: it
 * cannot be told, ERR_DATA where a file is not as git writes it. */
int gitdir_find(struct gitdir *g, const char *folder, struct err *e);
void gitdir_release(struct gitdir *g);

/* True if G is what git takes for a git dir (HEAD, objects, refs), no link, and
 * a linked work tree is known to its clone.  A file named .git may have come
 * with an archive and name any folder: who writes there asks this first, and
 * whose it is. */
bool gitdir_is_whole(const struct gitdir *g);

/* The name under which the clone knows the linked work tree, borrowed from G;
 * NULL for the main one. */
const char *gitdir_worktree(const struct gitdir *g);

/* The top of the main work tree that G is linked to: yours; NULL where that
 * cannot be told, as of a bare repository. */
char *gitdir_main(const struct gitdir *g);

#endif
