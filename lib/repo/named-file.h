/* named-file.h: read a memory file from the path that a person gave, in a store or
 * elsewhere. An article or a category file is read as one if it is in a store.
 *
 * Only for readers: links are followed, and a pipe can be read. The path in the
 * record is absolute, and its scope is that of the root which contains it.
 */
#ifndef CO_REPO_NAMED_FILE_H
#define CO_REPO_NAMED_FILE_H

#include "repo/record.h"

/* The state of reading one file after the other. Zero it before the first. */
struct named_file {
	struct buf text;
	const struct report *report; /* gets unresolved merges; may be NULL */
	char *global; /* path of the user's root, once it was needed */
};

/* Read the memory at PATH into R, which is valid until the next call and is
 * partly allocated in A. N->text is the whole file. Return 1; 0 if the file is
 * absent; or -1: ERR_DATA with the place, or ERR_SYSTEM. */
int named_file_read(struct named_file *n, const char *path, struct arena *a,
		    struct record *r, struct err *e);

void named_file_release(struct named_file *n);

#endif
