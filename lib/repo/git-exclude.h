/* git-exclude.h: what git does not see of a work tree, without a word in the
 * tree: lines of info/exclude in the git dir.
 */
#ifndef CO_REPO_GIT_EXCLUDE_H
#define CO_REPO_GIT_EXCLUDE_H

#include "repo/gitdir.h"

/* List the folder at PATH, which lies in the work tree of G, once. */
int git_exclude_add(const struct gitdir *g, const char *path, struct err *e);

/* True if git_exclude_add() has listed the folder that stands at REL
 * ("/sub/name") below the top. */
bool git_exclude_has(const struct gitdir *g, const char *rel);

/* True if the folder PATH in the work tree is plainly ignored: its name, with a
 * slash or without, is a line of info/exclude or of the .gitignore at the top or
 * beside it. */
bool git_exclude_hides(const struct gitdir *g, const char *path);

#endif
