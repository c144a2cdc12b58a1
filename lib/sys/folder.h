/* folder.h: make a directory with all its files, or a temporary one. */
#ifndef CO_SYS_FOLDER_H
#define CO_SYS_FOLDER_H

#include "base/strings.h"
#include "sys/file.h"

#include <signal.h>

/* A directory with all its files, or none of them.
 *
 * It is filled under a temporary name in the parent directory, synced and
 * renamed. After a crash at any point, the name is absent or the directory is
 * complete. A temporary directory that a killed process left is removed by a
 * later call, once it is old. Between the first call and the last, signals such as
 * SIGINT and SIGPIPE are held back, and the next folder_new_put() removes F before one
 * ends the process.
 *
 * All fields are private. A zeroed one is not begun. */
struct folder_new {
	char *path;		       /* links resolved */
	char *temp;		       /* current, temporary name */
	const char *name;	       /* last component of PATH */
	int above, fd;		       /* the parent directory; the new one */
	bool batch;		       /* many files can be synced at once */
	struct strings folders, files; /* created in it, in order */
	bool held;		       /* signals are, and BEFORE is set */
	sigset_t before;
};

/* Begin the directory F at PATH, which must be absent or an empty directory,
 * whose mode is kept. Returns 1, -1, or 0 with nothing begun: PATH is a
 * directory that has entries, is the working directory or is a mount point. */
int folder_new_begin(struct folder_new *f, const char *path, struct err *e);

/* Create the file NAME, which may have directories before it, in F with LEN
 * bytes of P. Returns 0, or -1: ERR_DATA if the name exists. */
int folder_new_put(struct folder_new *f, const char *name, const char *p,
		   size_t len, struct err *e);

/* Rename F to its name, durably, and release it. Returns 0, or -1 with
 * ERR_SYSTEM: F was removed. */
int folder_new_finish(struct folder_new *f, struct err *e);

/* Remove F. Does nothing if F is not begun or is finished. */
void folder_new_drop(struct folder_new *f);

/* A directory in $TMPDIR or /tmp for the files of one step.
 *
 * The process that uses it holds a lock on it, which the kernel releases if the
 * process is killed. So a later call finds what was left, and removes it. A directory
 * of another user is never touched. */
struct folder_temp {
	char *path;
	int fd;
	int levels; /* of directories in it, itself included */
};

/* Make the directory T, with a random name after PREFIX. The first call of a process
 * removes those with PREFIX that no process uses. Return 0 or -1. */
int folder_temp_make(struct folder_temp *t, const char *prefix, int levels,
		     struct err *e);

/* Remove T with everything in it, and release it. */
void folder_temp_remove(struct folder_temp *t);

#endif
