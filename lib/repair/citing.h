/* citing.h: check the citations of all memories of a store. */
#ifndef CO_REPAIR_CITING_H
#define CO_REPAIR_CITING_H

#include "repair/check.h"
#include "search/cited.h"

/* Append to FAULTS each citation in S whose place has changed or is gone. */
int citing_check(struct faults *faults, struct store *s, struct err *e);

#endif
