/* sync.h: exchange a store with a remote repository of git.
 *
 * A sync commits the changed files of the store, fetches the branch of the
 * remote, merges it by the meaning of memories, gives memories of equal ids new
 * ones (see repair/repair.h for both), and pushes. If somebody else pushed
 * meanwhile, it fetches and merges again.
 *
 * Sensitive memories, drafts and the trash stay on this machine, and so do the
 * settings of the user. A sensitive memory that was sent before it was marked keeps
 * the text that it has here. Only commits that change nothing but the store are
 * pushed: the code of a project is sent by git push.
 *
 * Killed at any time, a sync leaves files, commits and perhaps an unfinished
 * merge of git. The next sync continues from there.
 */
#ifndef CO_SYNC_SYNC_H
#define CO_SYNC_SYNC_H

#include "base/arena.h"
#include "store/store.h"

struct sync {
	struct store *store;
	bool dry; /* fetch and count, but change neither store nor remote */
	/* Called with each thing to tell a person; may be NULL. */
	void (*say)(void *ctx, const char *what);
	void *ctx;

	/* Results. The strings live in ARENA. */
	const char *remote, *branch;
	size_t sent, received; /* files of memories, articles and others */
	bool pushed;	/* commits were sent, perhaps without such files */
	size_t left;	/* files with conflicts for a person */
	size_t foreign; /* commits that were not sent: they change other files */
	bool hidden;	/* git ignores the store, so ERR_NO is returned */
	struct arena arena;
};

/* Sync S->store. Returns 1; 0 if LEFT files need a person, and nothing was sent;
 * or -1: ERR_NO, the store is in no repository or has no remote, or git ignores it;
 * ERR_HELPER, git or the remote failed, and nothing is lost; ERR_DATA, the remote branch
 * of a user store has links or settings; ERR_SYSTEM; ERR_BUSY. Release with
 * sync_release() in every case. */
int sync_run(struct sync *s, struct err *e);

void sync_release(struct sync *s);

/* Making the directory of the user's store a git repository with a remote. It has the
 * merge driver and the attributes that a project gets (see setup/setup-git.h), but no
 * hooks: sync_run() commits, checks and pushes. */
struct sync_setup {
	struct store *store;
	const char *url; /* of the remote, or NULL to leave it as it is */
	bool removing;	 /* undo the setup; the repository stays */
};

/* What sync_setup_apply() would do. */
struct sync_plan {
	struct buf
		commands; /* a line each; nothing if there is nothing to do */
	struct buf text;  /* for a person, without the commands */
};

/* Set *PLAN, whose buffers the caller releases. Returns 0, or -1: ERR_USAGE, the URL has
 * a password; ERR_SYSTEM, the store lies in another repository; ERR_HELPER. */
int sync_setup_plan(const struct sync_setup *u, struct sync_plan *plan,
		    struct err *e);

/* Do it. Returns 0 or -1 as above; if the process is killed, run it again. */
int sync_setup_apply(const struct sync_setup *u, struct err *e);

#endif
