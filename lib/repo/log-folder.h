/* log-folder.h: find the operation log of a store, where no clone can bring it.
 *
 * It lies in the git directory of the work tree, to which git writes nothing that a
 * commit holds: so a clone, a pull and a checkout cannot plant anything in it.
 * Outside git, and for the user's store, it lies in the user's state directory.
 *
 * The place depends only on the path of the store, and another store may have had
 * that path before.  So the log of a project has a file LOG_FOLDER_STORE, a JSON
 * object that identifies the store: see identity.h.  A log that is not proven to
 * belong to this store counts as absent.  In a git directory, a log is proven unless
 * it has a different id.  The first writer renames the log of another store to
 * "aside-HASH-N", next to its place.  HASH is that of its path and owner, N almost
 * always 1.  Nothing removes it.
 */
#ifndef CO_REPO_LOG_FOLDER_H
#define CO_REPO_LOG_FOLDER_H

#include "repo/identity.h"
#include "repo/root.h"

#define LOG_FOLDER_STORE "store"

/* The folder of the operation log of R: "GIT/co-cli/PLACE/log", GIT being the git
 * directory of the work tree itself ("COMMON/worktrees/NAME" for a linked one), where
 * shared_path() is not NULL; else "STATE/log/PLACE", PLACE being the absolute path of
 * R as shared_path() has it, or a hash where that is too long for a name.  It need
 * not exist.  NULL: neither HOME nor XDG_STATE_HOME says where STATE is.  Borrowed
 * from R. */
const char *log_folder_path(struct root *r);

/* Open it, or MAKE it: 1 (*FD is the caller's), 0: it is absent, -1: ERR_SYSTEM, or
 * ERR_DATA for a link. */
int log_folder_open(struct root *r, bool make, int *fd, struct err *e);

/* Write LOG_FOLDER_STORE into the log FD of R, unless it is up to date.  Return 0,
 * or -1. */
int log_folder_claim(struct root *r, int fd, struct err *e);

/* Append the contents of LOG_FOLDER_STORE for R.  Return 0, or -1 as identity_of(). */
int log_folder_add_store(struct buf *out, struct root *r, struct err *e);

/* The modes of files and folders in it, to be cut by the umask: in a git directory
 * those of the store, in the state directory 0600 and 0700. */
unsigned log_folder_file_mode(struct root *r);
unsigned log_folder_dir_mode(struct root *r);

/* A log in another place, written by this store, or by one that had its path or
 * id.  All members are borrowed. */
struct log_folder {
	const char *path;
	const char *drafts;  /* the directory of drafts next to it, or NULL */
	struct identity was; /* the store that wrote it */
	bool proven;	     /* WAS is this store: see identity_is_same() */
	bool replaced;	     /* WAS is another store, which had the same path */
};

/* Call FN with each log that may belong to R, except log_folder_path().  Search the
 * state directory, the git directories around R, and those around the paths that the
 * list of known projects has for its id.  Skip logs that cannot be read.  If FN
 * returns nonzero, stop and return that.  Return -1 as identity_of(). */
typedef int log_folder_fn(void *ctx, const struct log_folder *f, struct err *e);
int log_folder_each_other(struct root *r, log_folder_fn *fn, void *ctx,
			  struct err *e);

#endif
