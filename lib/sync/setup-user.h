/* setup-user.h: make the user store a git repository with a remote.
 *
 * The repository is the directory of the store itself. It has the merge driver
 * and the attributes that a project gets (see setup/setup-git.h), but no hooks:
 * sync.h commits, checks and pushes.
 */
#ifndef CO_SYNC_SETUP_USER_H
#define CO_SYNC_SETUP_USER_H

#include "store/store.h"

struct setup_user {
	struct store *store;
	const char *url; /* of the remote, or NULL to leave it as it is */
	bool removing;	 /* undo the setup; the repository stays */
};

/* Append what setup_user_apply() would do to OUT, a line each; nothing if there
 * is nothing to do. Returns 0, or -1: ERR_USAGE, the URL has a password;
 * ERR_SYSTEM, the store lies in another repository; ERR_HELPER. */
int setup_user_plan(const struct setup_user *u, struct buf *out, struct err *e);

/* Do it. Returns 0 or -1 as above; if the process is killed, run it again. */
int setup_user_apply(const struct setup_user *u, struct err *e);

#endif
