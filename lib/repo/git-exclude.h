/* git-exclude.h: hide a directory of a work tree from git by a line of info/exclude
 * in the git directory, which changes no file of the tree.
 */
#ifndef CO_REPO_GIT_EXCLUDE_H
#define CO_REPO_GIT_EXCLUDE_H

#include "repo/gitdir.h"

/* Add the directory at PATH, in the work tree of G, to info/exclude once. Return 0
 * or -1. */
int git_exclude_add(const struct gitdir *g, const char *path, struct err *e);

/* Return 1 if git_exclude_add() has added the directory at REL, "/sub/name" below the
 * top; 0 if not; or -1. */
int git_exclude_has(const struct gitdir *g, const char *rel, struct err *e);

/* Return true if the directory PATH in the work tree is plainly ignored: its name,
 * with or without a slash, is a line of info/exclude or of the .gitignore at the
 * top or next to it. */
bool git_exclude_hides(const struct gitdir *g, const char *path);

#endif
