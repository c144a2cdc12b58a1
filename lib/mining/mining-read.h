/* mining-read.h: find the candidates in a repository. */
#ifndef CO_MINING_MINING_READ_H
#define CO_MINING_MINING_READ_H

#include "mining/candidates.h"

/* Fill the results of C.  Release them with candidates_release(), also on failure.
 * Returns 0 or -1: ERR_SYSTEM, DIR is in no git work tree; ERR_USAGE, the range names
 * no commits; ERR_HELPER. */
int mining_read(struct candidates *c, struct err *e);

#endif
