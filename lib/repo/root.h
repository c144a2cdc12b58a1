/* root.h: find the root of a store: the project's or the user's.
 *
 * The root of a project is `.co-cli/` in the nearest ancestor of the working
 * directory that has one. The search ends at the top of the git work tree (the
 * nearest `.git`; git is never run). $HOME is skipped unless it is the working
 * directory. A root that belongs to another user (see owner.h) or is a link is
 * refused. A root that a sparse checkout leaves out is an error. A private root is
 * in the main work tree, and linked work trees find it there.
 *
 * The root of the user is $XDG_CONFIG_HOME/co-cli or ~/.config/co-cli. There links
 * are followed, also those of single files (see file_follow()).
 */
#ifndef CO_REPO_ROOT_H
#define CO_REPO_ROOT_H

#include "base/buf.h"
#include "base/err.h"
#include "repo/record.h"

struct root {
	enum scope scope;
	char *path; /* absolute, of `.co-cli` itself, even if absent */
	int fd;	    /* the directory; -1: it does not exist */

	/* Set by shared-drafts.h, for itself and log-folder.h. */
	bool asked;
	char *common, *shared, *worktree;
	char *own;    /* the git directory of the work tree, in COMMON */
	char *closed; /* why the git directory cannot be read, or NULL */
	char *moved;  /* the linked work tree that git does not find, or NULL */
	bool skip_drafts; /* if CLOSED, shared_open() finds no drafts and no error */

	/* Set and used by log-folder.h. */
	char *log,
		*log_above; /* the directory, and one above it that is ours */
	bool log_in_state;
	int log_is; /* the owner of the log, if it was read */
};

/* Find the root of SCOPE. If it is absent, R->path is the path at which the first
 * writer creates it. Return 0, or -1: ERR_SYSTEM if it is refused or unreadable, or
 * if HOME is not set. The caller releases R with root_release(). */
int root_find(struct root *r, enum scope scope, struct err *e);

/* Find the root in the working directory itself, and ignore those above it. */
int root_here(struct root *r, struct err *e);

/* Find the root of the project in FOLDER, an absolute path. Return 1; 0 if there is
 * none; or -1. */
int root_at(struct root *r, const char *folder, struct err *e);

/* Return the length of the project's directory in PATH, the path of a root; 0 for
 * that of the user. */
size_t root_project_length(const char *path);

/* Append to PATH the path of the project root above R that would be found if R did
 * not exist. Return false if there is none, or if that cannot be read. */
bool root_hides(const struct root *r, struct buf *path);

/* Return the directory that contains R. The caller frees it. */
char *root_folder(const struct root *r);

/* Open the directory knowledge/ of R, and append its path to PATH, even if it is
 * absent. Return 1, 0 if it is absent, or -1, as file_open_dir(). The caller closes
 * *FD, which is -1 unless the directory is open. */
int root_open_knowledge(const struct root *r, struct buf *path, int *fd,
			struct err *e);

/* Create the directory of R if it is absent, with its .gitignore and its
 * settings.json, which has the format. Set *MADE to whether it was created. Return
 * 0, or -1, also if its format is not ours. The user's root gets the mode 0700; the
 * umask decides that of others. */
int root_make(struct root *r, bool *made, struct err *e);

/* Add the project root R to .git/info/exclude of its work tree, once. Return 0 or
 * -1: ERR_USAGE if there is no git work tree. */
int root_exclude(const struct root *r, struct err *e);

/* Return true if the project root R is, or would be, in a git work tree of the user
 * that is not their whole $HOME. */
bool root_in_project(const struct root *r);

/* Return true if the project root R is in a git work tree and is not plainly
 * ignored there (see git-exclude.h). */
bool root_seen_by_git(const struct root *r);

/* Return the mode of new files and directories, before the umask: 0600 and 0700 in the
 * user's root, else 0666 and 0777. */
unsigned root_file_mode(const struct root *r);
unsigned root_dir_mode(const struct root *r);

/* Return the path of GIVEN relative to the top of the project with the root R, allocated
 * in A. GIVEN is relative to the working directory or absolute; NULL is the working
 * directory itself. It need not exist. Return NULL if it is the top, is outside, or
 * cannot be found. */
const char *root_relative(const struct root *r, const char *given,
			  struct arena *a);

void root_release(struct root *r);

#endif
