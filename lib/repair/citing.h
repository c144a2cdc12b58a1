/* citing.h: what memories cite, and whether it still stands there. */
#ifndef CO_REPAIR_CITING_H
#define CO_REPAIR_CITING_H

#include "repair/check.h"
#include "search/cited.h"

/* As cited_each() for all memories of S, by id. */
int citing_store(struct store *s, struct evidence *ev, cited_fn *fn, void *ctx,
		 const struct report *bad, struct err *e);

/* Add to FAULTS what memories of S cite that has changed or is gone. */
int citing_check(struct faults *faults, struct store *s, struct err *e);

#endif
