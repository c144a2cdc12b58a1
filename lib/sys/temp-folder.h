/* temp-folder.h: a directory in $TMPDIR or /tmp for the files of one step.
 *
 * The process that uses it holds a lock on it, which the kernel releases if the
 * process is killed. So a later call finds what was left, and removes it. A directory
 * of another user is never touched.
 */
#ifndef CO_SYS_TEMP_FOLDER_H
#define CO_SYS_TEMP_FOLDER_H

#include "base/err.h"

struct temp_folder {
	char *path;
	int fd;
	int levels; /* of directories in it, itself included */
};

/* Make the directory T, with a random name after PREFIX. The first call of a process
 * removes those with PREFIX that no process uses. Return 0 or -1. */
int temp_folder_make(struct temp_folder *t, const char *prefix, int levels,
		     struct err *e);

/* Remove T with everything in it, and release it. */
void temp_folder_remove(struct temp_folder *t);

#endif
