/* duplicates.h: what a store knows already, upper and lower case and blanks
 * aside.
 */
#ifndef CO_STORE_DUPLICATES_H
#define CO_STORE_DUPLICATES_H

#include "store/store.h"

/* Find what has the content P, a memory, else a draft, else what lies in the
 * trash: 1 (R lives in A, *WHERE is its area; AREA_ARCHIVE for a memory that says
 * it was replaced, wherever it lies), 0, -1, also when the system
 * does not let one be read.  Broken files are reported. */
int duplicates_find(struct store *s, const char *p, size_t len, struct arena *a,
		    struct record *r, enum area *where, struct err *e);

#endif
