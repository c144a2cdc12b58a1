/* named-file.h: memory files by the path that a person gave, wherever they lie;
 * and articles and category files, which a ranked search names as well, by
 * their place in a store.
 *
 * For readers only: links are followed, pipes are read.  The path in a record
 * is absolute all the same, and its scope that of the root it lies below.
 */
#ifndef CO_STORE_NAMED_FILE_H
#define CO_STORE_NAMED_FILE_H

#include "repo/record.h"

/* Reads one file after the other.  A zeroed one is valid. */
struct named_file {
	struct buf text;
	const struct report *report; /* gets what is said of an unresolved
				      * merge; NULL: nobody does */
	char *global; /* path of the user's root, once it was needed */
};

/* Read the memory at PATH: 1, 0 when it is absent, -1 (ERR_DATA with place,
 * ERR_SYSTEM).  R lives in N until the next call, and in A.  The file as it
 * stands is n->text. */
int named_file_read(struct named_file *n, const char *path, struct arena *a,
		    struct record *r, struct err *e);

void named_file_release(struct named_file *n);

#endif
