/* new-folder.h: create a directory with all its files, or not at all.
 *
 * It is filled under a temporary name in the parent directory, synced and
 * renamed. After a crash at any point, the name is absent or the directory is
 * complete. A temporary directory that a killed process left is removed by a
 * later call, once it is old.
 */
#ifndef CO_SYS_NEW_FOLDER_H
#define CO_SYS_NEW_FOLDER_H

#include "base/strings.h"
#include "sys/file.h"

/* All fields are private. A zeroed one is not begun. */
struct new_folder {
	char *path;		       /* links resolved */
	char *temp;		       /* current, temporary name */
	const char *name;	       /* last component of PATH */
	int above, fd;		       /* the parent directory; the new one */
	bool batch;		       /* many files can be synced at once */
	struct strings folders, files; /* created in it, in order */
};

/* Begin the directory F at PATH, which must be absent or an empty directory,
 * whose mode is kept. Returns 1, -1, or 0 with nothing begun: PATH is a
 * directory that has entries, is the working directory or is a mount point. */
int new_folder_begin(struct new_folder *f, const char *path, struct err *e);

/* Create the file NAME, which may have directories before it, in F with LEN
 * bytes of P. Returns 0, or -1: ERR_DATA if the name exists. */
int new_folder_put(struct new_folder *f, const char *name, const char *p,
		   size_t len, struct err *e);

/* Rename F to its name, durably, and release it. Returns 0, or -1 with
 * ERR_SYSTEM: F was removed. */
int new_folder_finish(struct new_folder *f, struct err *e);

/* Remove F. Does nothing if F is not begun or is finished. */
void new_folder_drop(struct new_folder *f);

#endif
