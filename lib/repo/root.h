/* root.h: where knowledge lives: the project's root and the user's.
 *
 * The project's: the nearest ancestor of the working directory that holds
 * `.co-cli/`, going no higher than the top of the git work tree (the nearest
 * `.git`; git is never run), and never into $HOME itself unless that is the
 * working directory.  One of a stranger is refused (see owner.h); so is a link.
 * One that a sparse checkout leaves out is an error; one that is private stands
 * in the main work tree, and is found from those that are linked.  The user's:
 * $XDG_CONFIG_HOME/co-cli or ~/.config/co-cli, where links on the way are the
 * user's own business, as are those of single files (see file_follow()).
 */
#ifndef CO_REPO_ROOT_H
#define CO_REPO_ROOT_H

#include "base/buf.h"
#include "base/err.h"
#include "repo/record.h"

struct root {
	enum scope scope;
	char *path; /* absolute, of `.co-cli` itself; also when absent */
	int fd;	    /* the folder, -1 when it does not exist */

	/* What shared-drafts.h found out, for it and for log-folder.h. */
	bool asked;
	char *common, *shared, *worktree;
	char *own; /* the git dir of the work tree itself, in COMMON */

	/* What log-folder.h found out, and for it alone. */
	char *log, *log_above; /* the folder, and one above it that is ours */
	bool log_in_state;
	int log_is; /* the owner of the log, if it was read */
};

/* Find the root of SCOPE.  An absent one is no error: path is then where the
 * first writer makes it.  Release with root_release().  ERR_SYSTEM: refused,
 * unreadable, or no HOME. */
int root_find(struct root *r, enum scope scope, struct err *e);

/* The root in the working directory itself, whatever lies above it. */
int root_here(struct root *r, struct err *e);

/* The project root in FOLDER, an absolute path: 1, 0 where there is none, -1. */
int root_at(struct root *r, const char *folder, struct err *e);

/* Return the length of the project's directory in PATH, the path of a root; 0 for that of
 * the user. */
size_t root_project_length(const char *path);

/* Append to PATH the path of the project root above R that would be found if R were
 * not there; false where there is none, or where that cannot be read. */
bool root_hides(const struct root *r, struct buf *path);

/* The folder that R stands in; yours. */
char *root_folder(const struct root *r);

/* Open the folder of what is known below R, and add its path to PATH, also where
 * there is none: 1, 0 when it is absent, -1, as file_open_dir().  *FD is yours,
 * -1 unless it is open. */
int root_open_knowledge(const struct root *r, struct buf *path, int *fd,
			struct err *e);

/* Make R's folder where it is absent, with its .gitignore and its settings.json,
 * which has the format; *MADE tells whether it was.  -1 too where it has a format
 * that is not ours.  Modes: 0700 below $HOME's own root, else by the umask. */
int root_make(struct root *r, bool *made, struct err *e);

/* List the project root R in the .git/info/exclude of its work tree, once.
 * ERR_USAGE when there is no git work tree; -1 too as above. */
int root_exclude(const struct root *r, struct err *e);

/* True if the project root R stands, or would stand in a git work tree of the
 * user's that is not their whole $HOME. */
bool root_in_project(const struct root *r);

/* True if the project root R lies in a git work tree and is not plainly ignored
 * there (see git-exclude.h). */
bool root_seen_by_git(const struct root *r);

/* 0600 and 0700 for the user's root, 0666 and 0777 (for the umask) else. */
unsigned root_file_mode(const struct root *r);
unsigned root_dir_mode(const struct root *r);

void root_release(struct root *r);

#endif
