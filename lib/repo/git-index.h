/* git-index.h: what git's index says of paths, found by reading it: git is never
 * run.  A path of FOLDER ("sub/name") begins at the top of the work tree of G. */
#ifndef CO_REPO_GIT_INDEX_H
#define CO_REPO_GIT_INDEX_H

#include "repo/gitdir.h"

/* 1 if git tracks what stands below FOLDER, and a sparse checkout leaves it out; 0;
 * -1: there is an index that cannot be read. */
int git_index_leaves_out(const struct gitdir *g, const char *folder,
			 struct err *e);

/* 1 if git tracks a file below FOLDER, or FOLDER itself as a file, or with
 * SUBMODULES a submodule that holds FOLDER; 0; -1: there is an
 * index that cannot be read.  The shared part of a split index is read as well. */
int git_index_tracks(const struct gitdir *g, const char *folder,
		     bool submodules, struct err *e);

#endif
