/* past-read.h: read the past of a repository. */
#ifndef CO_PAST_PAST_READ_H
#define CO_PAST_PAST_READ_H

#include "past/candidates.h"

/* Fill the results of C.  Release them with candidates_release(), also on failure.
 * Returns 0 or -1: ERR_SYSTEM, DIR is in no git work tree; ERR_USAGE, the range names
 * no commits; ERR_HELPER. */
int past_read(struct candidates *c, struct err *e);

#endif
