/* log-folder.h: find the operation log of a store, in a directory to which no clone can
 * write.
 *
 * The log is in the git directory of the work tree. Git writes no content of a commit
 * there, so a clone, a pull and a checkout cannot plant anything in it. Outside git,
 * and for the user's store, it is in the user's state directory.
 *
 * The directory depends only on the path of the store, and another store may have had
 * that path before. So the log of a project has a file LOG_FOLDER_STORE, a JSON object
 * that identifies the store (see identity.h). A log that is not proven to belong to
 * this store counts as absent. In a git directory, a log is proven unless it has a
 * different id. The first writer renames the log of another store to "aside-HASH-N" in
 * the same directory. HASH is that of its path and owner, N almost always 1. It is
 * never removed.
 */
#ifndef CO_REPO_LOG_FOLDER_H
#define CO_REPO_LOG_FOLDER_H

#include "repo/identity.h"
#include "repo/root.h"

#define LOG_FOLDER_STORE "store"

/* Return the path of the directory of the operation log of R, borrowed from R. It
 * need not exist. If shared_path() is not NULL, it is "GIT/co-cli/PLACE/log"; GIT
 * is the git directory of the work tree itself ("COMMON/worktrees/NAME" for a
 * linked one). Else it is "STATE/log/PLACE"; PLACE is the absolute path of R in the
 * form of shared_path(), or a hash if that is too long for a name. Return NULL if
 * neither HOME nor XDG_STATE_HOME is set, or if the git directory cannot be read; then
 * log_folder_open() fails. */
const char *log_folder_path(struct root *r);

/* Open the directory of the log. MAKE: create it if it is absent, and rename the log of
 * another store. Return 1 with *FD, which the caller closes; 0 if it is absent or of
 * another store; or -1: ERR_SYSTEM, or ERR_DATA for a link. */
int log_folder_open(struct root *r, bool make, int *fd, struct err *e);

/* Write LOG_FOLDER_STORE into the log FD of R, unless it is up to date. Return 0,
 * or -1. */
int log_folder_claim(struct root *r, int fd, struct err *e);

/* Append the contents of LOG_FOLDER_STORE for R. Return 0, or -1 as identity_of(). */
int log_folder_add_store(struct buf *out, struct root *r, struct err *e);

/* Return the modes of files and directories in the log, before the umask: in a git
 * directory those of the store, in the state directory 0600 and 0700. */
unsigned log_folder_file_mode(struct root *r);
unsigned log_folder_dir_mode(struct root *r);

/* A log in another directory, written by this store, or by one that had its path or id.
 * All members are borrowed. */
struct log_folder {
	const char *path;
	const char *drafts;  /* the directory of drafts next to it, or NULL */
	struct identity was; /* the store that wrote it */
	bool proven;	     /* WAS is this store: see identity_is_same() */
	bool replaced;	     /* WAS is another store, which had the same path */
};

/* Call FN with each log that may belong to R, except log_folder_path(). Search the
 * state directory, the git directories around R, and those around the paths that the
 * list of known projects has for its id. Skip logs that cannot be read. If FN
 * returns nonzero, stop and return that. Return -1 as identity_of(). */
typedef int log_folder_fn(void *ctx, const struct log_folder *f, struct err *e);
int log_folder_each_other(struct root *r, log_folder_fn *fn, void *ctx,
			  struct err *e);

#endif
