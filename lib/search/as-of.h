/* as-of.h: which memories were valid at a given time.
 *
 * A memory was valid if it had been created, had not been replaced (its
 * replacement was created later), and had not expired.
 *
 * Known limit: memories forgotten since are unknown.
 */
#ifndef CO_SEARCH_AS_OF_H
#define CO_SEARCH_AS_OF_H

#include "store/store.h"

struct as_of {
	struct instant at;
	struct as_of_memory *items; /* by id */
	size_t n, cap;
};

/* Read the creation times of the memories of S and of its archive. Return 0, or
 * -1 (ERR_SYSTEM). Release T with as_of_release() in either case. */
int as_of_read(struct as_of *t, struct store *s, struct instant at,
	       struct err *e);
void as_of_release(struct as_of *t);

/* Return true if R was created and not replaced at that time. Threads may call
 * this at once. */
bool as_of_holds(const struct as_of *t, const struct record *r);

#endif
