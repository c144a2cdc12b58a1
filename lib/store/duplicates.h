/* duplicates.h: what a store knows already, upper and lower case and blanks
 * aside.
 */
#ifndef CO_STORE_DUPLICATES_H
#define CO_STORE_DUPLICATES_H

#include "store/store.h"

/* Find what has the content P: a memory, else a draft, else a removed one, else a
 * replaced one. Return 1 (R is allocated in A; *WHERE is its area, AREA_ARCHIVE for a
 * replaced memory wherever it lies), 0, or -1, also if the system refuses to read a file.
 * Broken files are reported. */
int duplicates_find(struct store *s, const char *p, size_t len, struct arena *a,
		    struct record *r, enum area *where, struct err *e);

#endif
