/* shared-drafts.h: the folder of drafts that all work trees of a clone share. */
#ifndef CO_REPO_SHARED_DRAFTS_H
#define CO_REPO_SHARED_DRAFTS_H

#include "repo/root.h"

/* The folder in which drafts of the project root R outlive its work tree:
 * "GIT/co-cli/PLACE/drafts", GIT being the git dir that all work trees of the
 * clone share, PLACE the path of R from the top of its work tree, with "%25"
 * for % and "%2F" for /.  It need not exist.  NULL: there is no git dir that is
 * whole, no link and ours (see gitdir.h).  Borrowed from R.
 *
 * Git writes nothing there that a commit holds, so drafts in it are ours.  In
 * knowledge/drafts/, where there is no such folder, a clone may bring some: what a
 * draft says counts only when a person accepted it, whoever wrote it. */
const char *shared_path(struct root *r);

/* Fill the members of R about git for the git directory around FOLDER, which need not
 * be the nearest to R.  R needs only its path.  Set TOP, unless it is NULL, to the top
 * of the work tree.  Return false if there is no git directory. */
bool shared_find(struct root *r, const char *folder, struct buf *top);

/* Open it, or MAKE it: 1 (*FD is yours), 0, -1. */
int shared_open(struct root *r, bool make, int *fd, struct err *e);

/* Where it is closed to us, do as if there were none: who writes a memory needs
 * no draft, and who asks for drafts is told before. */
void shared_leave_closed(struct root *r);

/* Append PATH to OUT as one name, "%25" for % and "%2F" for /: false if it is too
 * long for one. */
bool shared_add_name(struct buf *out, const char *path);

/* The name of the linked work tree that R is used from, borrowed from R; NULL
 * for a main one, and outside git. */
const char *shared_worktree(struct root *r);

#endif
