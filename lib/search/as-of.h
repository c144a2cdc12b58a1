/* as-of.h: which memories of a store held at some time: created by then, not yet
 * replaced by then, by when the one that has their place was created, and not yet
 * expired.
 *
 * Known limit: what was forgotten since is not known any more.
 */
#ifndef CO_SEARCH_AS_OF_H
#define CO_SEARCH_AS_OF_H

#include "store/store.h"

struct as_of {
	struct instant at;
	struct as_of_memory *items; /* by id */
	size_t n, cap;
};

/* Read when the memories of S, and of its archive, were created.  -1: ERR_SYSTEM.
 * Release with as_of_release() whatever it returns. */
int as_of_read(struct as_of *t, struct store *s, struct instant at,
	       struct err *e);
void as_of_release(struct as_of *t);

/* Did R hold?  Several threads may ask. */
bool as_of_holds(const struct as_of *t, const struct record *r);

#endif
