/* citing.h: check the citations of all memories of a store. */
#ifndef CO_REPAIR_CITING_H
#define CO_REPAIR_CITING_H

#include "repair/check.h"
#include "search/cited.h"

/* Call cited_each() for every memory of S, in the order of ids. A memory that
 * cannot be checked is reported to BAD. Return 0 or -1. */
int citing_store(struct store *s, struct evidence *ev, cited_fn *fn, void *ctx,
		 const struct report *bad, struct err *e);

/* Append to FAULTS each citation in S whose place has changed or is gone. */
int citing_check(struct faults *faults, struct store *s, struct err *e);

#endif
