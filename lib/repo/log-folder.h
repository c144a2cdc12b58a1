/* log-folder.h: where the operation log of a store lies: no clone can bring it.
 *
 * It lies in the git directory of the work tree, to which git writes nothing that a
 * commit holds: so a clone, a pull and a checkout cannot plant anything in it.
 * Outside git, and for the user's store, it lies in the user's state directory.
 */
#ifndef CO_REPO_LOG_FOLDER_H
#define CO_REPO_LOG_FOLDER_H

#include "repo/root.h"

/* The folder of the operation log of R: "GIT/co-cli/PLACE/log", GIT being the git
 * directory of the work tree itself ("COMMON/worktrees/NAME" for a linked one), where
 * shared_path() is not NULL; else "STATE/log/PLACE", PLACE being the absolute path of
 * R as shared_path() has it, or a hash where that is too long for a name.  It need
 * not exist.  NULL: neither HOME nor XDG_STATE_HOME says where STATE is.  Borrowed
 * from R. */
const char *log_folder_path(struct root *r);

/* Where the log of R lay before R was in a git work tree: its folder in STATE; the
 * caller's.  NULL where that is log_folder_path(), or STATE is not known. */
char *log_folder_before_git(struct root *r);

/* Open it, or MAKE it: 1 (*FD is the caller's), 0: it is absent, -1: ERR_SYSTEM, or
 * ERR_DATA for a link. */
int log_folder_open(struct root *r, bool make, int *fd, struct err *e);

/* The modes of files and folders in it, to be cut by the umask: in a git directory
 * those of the store, in the state directory 0600 and 0700. */
unsigned log_folder_file_mode(struct root *r);
unsigned log_folder_dir_mode(struct root *r);

#endif
