/* duplicates.h: find a memory with the same content, exactly or ignoring case and white
 * space. */
#ifndef CO_STORE_DUPLICATES_H
#define CO_STORE_DUPLICATES_H

#include "store/store.h"

/* Find a file with the content of LEN bytes at P: a memory, else a draft, else one
 * in the trash, else a replaced memory. Return 1 with the memory in R, allocated in
 * A, and its area in *WHERE, which is AREA_ARCHIVE for a replaced memory in any
 * directory. Return 0 if there is none, or -1, also if the system refuses to read a
 * file. Broken files are reported. */
int duplicates_find(struct store *s, const char *p, size_t len, struct arena *a,
		    struct record *r, enum area *where, struct err *e);

/* Find a file of AREA that was not replaced and has the content CONTENT, except for
 * blanks at its ends and the form of line ends. Return 1 with the one of the lowest id
 * in R, allocated in A; 0; or -1, also if the system refuses to read a file. */
int duplicates_find_exact(struct store *s, enum area area, const char *content,
			  size_t len, struct arena *a, struct record *r,
			  struct err *e);

#endif
