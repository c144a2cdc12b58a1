/* shared-drafts.h: the directory of drafts that all work trees of a clone share. */
#ifndef CO_REPO_SHARED_DRAFTS_H
#define CO_REPO_SHARED_DRAFTS_H

#include "repo/root.h"

/* Return the path of the directory in which drafts of the project root R outlive its
 * work tree, borrowed from R: "GIT/co-cli/PLACE/drafts". GIT is the git directory that
 * all work trees of the clone share. PLACE is the path of R from the top of its work
 * tree, with "%25" for % and "%2F" for /. The directory need not exist. Return NULL if
 * there is no git directory that is whole, not a link, and ours (see gitdir.h), or if
 * that cannot be read; then shared_open() fails.
 *
 * Git writes no content of a commit there, so drafts in it are ours. If there is no
 * such directory, drafts are in knowledge/drafts/, and a clone may bring some. No
 * draft counts before a person has accepted it. */
const char *shared_path(struct root *r);

/* Fill the members of R about git for the git directory around FOLDER, which need
 * not be the nearest to R. R needs only its path. Set TOP, unless it is NULL, to
 * the top of the work tree. Return false if there is no git directory. */
bool shared_find(struct root *r, const char *folder, struct buf *top);

/* Open the directory shared_path(). MAKE: create it if it is absent. Return 1 with *FD,
 * which the caller closes; 0 if it is absent; or -1, also if the git directory cannot
 * be read. */
int shared_open(struct root *r, bool make, int *fd, struct err *e);

/* If we may not open the directory, let shared_path() return NULL from now on. A
 * writer of memories needs no drafts, and a caller that needs them got the error
 * before. */
void shared_leave_closed(struct root *r);

/* Warn once if shared_path() is NULL because a person moved the linked work tree of R
 * without git. */
void shared_warn_moved(struct root *r, const struct report *report);

/* Append PATH to OUT as one name, with "%25" for % and "%2F" for /. Return false if
 * it is too long for a name. */
bool shared_add_name(struct buf *out, const char *path);

/* Return the name of the linked work tree that R is used from, borrowed from R;
 * NULL for a main work tree and outside git. */
const char *shared_worktree(struct root *r);

#endif
