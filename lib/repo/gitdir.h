/* gitdir.h: find the git directory of a work tree, and what git tracks there, by reading
 * files; git is never run.
 *
 * The top of the work tree is the nearest directory that has `.git`. That is the
 * git directory itself, or a file that names it (a linked work tree, a submodule,
 * `git init --separate-git-dir`). The git directory of a linked work tree has a
 * file `commondir`, which names the one that all work trees of the clone share.
 */
#ifndef CO_REPO_GITDIR_H
#define CO_REPO_GITDIR_H

#include "base/err.h"

struct gitdir {
	char *top;	/* of the work tree; absolute, as the others */
	char *dir;	/* its own git directory */
	char *common;	/* the shared one; equal to DIR unless it is linked */
	bool linked;	/* it has a `commondir` */
	bool is_folder; /* `.git` is a directory */
	bool moved;	/* see gitdir_is_whole() */
};

/* Find the git directory of the work tree that contains FOLDER, an absolute path.
 * Return 1 with *G, which the caller releases with gitdir_release(); 0 if FOLDER is
 * in no work tree; or -1 if that is unknown: ERR_DATA if a file is not as git
 * writes it. */
int gitdir_find(struct gitdir *g, const char *folder, struct err *e);
void gitdir_release(struct gitdir *g);

/* Return 1 if git would take G for a git directory (HEAD, objects, refs), G is
 * not a link, and the clone knows a linked work tree; 0 if not; or -1 if that cannot
 * be read. A file named .git may have come with an archive and may name any
 * directory. So a caller that writes there must call this first, and check the
 * owner. Set G->moved if the clone knows a linked work tree at another path, where it
 * is no more; 'git worktree repair' tells the clone its new path. */
int gitdir_is_whole(struct gitdir *g, struct err *e);

/* Return the name under which the clone knows the linked work tree, borrowed from
 * G; NULL for the main one. */
const char *gitdir_worktree(const struct gitdir *g);

/* Return the top of the main work tree that G is linked to; the caller frees it.
 * Return NULL if it is unknown, as for a bare repository. */
char *gitdir_main(const struct gitdir *g);

/* Read git's index. FOLDER ("sub/name") is a path from the top of the work tree of G.
 *
 * gitdir_tracks() returns 1 if git tracks FOLDER or a file below it; 0 if not; or -1 if
 * there is an index that cannot be read (ERR_SYSTEM) or is malformed (ERR_DATA). The
 * shared part of a split index is read as well.
 *
 * gitdir_leaves_out() returns 1 if git tracks FOLDER and a sparse checkout leaves it
 * out; 0 if not, or if the index is malformed; or -1 if there is an index that cannot
 * be read. */
int gitdir_tracks(const struct gitdir *g, const char *folder, struct err *e);
int gitdir_leaves_out(const struct gitdir *g, const char *folder,
		      struct err *e);

#endif
