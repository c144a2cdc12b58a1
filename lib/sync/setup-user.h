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

#endif
