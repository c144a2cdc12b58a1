/* log-folder.h: where the operation log of a store lies: no clone can bring it.
 *
 * It lies in the git directory of the work tree, to which git writes nothing that a
 * commit holds: so a clone, a pull and a checkout cannot plant anything in it.
 * Outside git, and for the user's store, it lies in the user's state directory.
 *
 * Its place says only the path of the store, and another store may have been there
 * before.  So the log of a project holds the file LOG_FOLDER_STORE, an object of JSON
 * that says whose it is: see identity.h.  A log that is not proven to be this store's
 * counts as absent.  In a git directory it is, unless the ids are two.  The first writer sets it aside, next to its place, as "aside-HASH-N",
 * and nothing removes it.
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

/* Write into the log FD of R whose it is, unless it says so already. */
int log_folder_claim(struct root *r, int fd, struct err *e);

/* Append what LOG_FOLDER_STORE holds for R. */
void log_folder_add_store(struct buf *out, struct root *r);

/* The modes of files and folders in it, to be cut by the umask: in a git directory
 * those of the store, in the state directory 0600 and 0700. */
unsigned log_folder_file_mode(struct root *r);
unsigned log_folder_dir_mode(struct root *r);

/* A log that lies elsewhere, and was written by this store, or by one that had its
 * path or id.  All are borrowed. */
struct log_folder {
	const char *path;
	const char *drafts;  /* that of drafts which went with it, or NULL */
	struct identity was; /* the store that wrote it */
	bool proven;	     /* that is this store: see identity_is_same() */
	bool replaced;	     /* it is none, but had the path of this one */
};

/* Call FN with each log that may be of R and is not log_folder_path(): in the state
 * directory, in the git directories around R, and in those around the paths where the
 * list of known projects has its id.  What cannot be read is passed over.  Nonzero from
 * FN ends the walk and is returned. */
typedef int log_folder_fn(void *ctx, const struct log_folder *f, struct err *e);
int log_folder_each_other(struct root *r, log_folder_fn *fn, void *ctx,
			  struct err *e);

#endif
