/* git-index.h: read git's index, to find whether git tracks a path. Git is never
 * run. FOLDER ("sub/name") is a path from the top of the work tree of G.
 */
#ifndef CO_REPO_GIT_INDEX_H
#define CO_REPO_GIT_INDEX_H

#include "repo/gitdir.h"

/* Return 1 if git tracks FOLDER and a sparse checkout leaves it out; 0 if not, or if
 * the index is malformed; or -1 if there is an index that cannot be read. */
int git_index_leaves_out(const struct gitdir *g, const char *folder,
			 struct err *e);

/* Return 1 if git tracks FOLDER or a file below it; 0 if not; or -1 if there is an
 * index that cannot be read (ERR_SYSTEM) or is malformed (ERR_DATA). The shared part of
 * a split index is read as well. */
int git_index_tracks(const struct gitdir *g, const char *folder, struct err *e);

#endif
