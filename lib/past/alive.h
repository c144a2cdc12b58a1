/* alive.h: whether what a text names still exists. */
#ifndef CO_PAST_ALIVE_H
#define CO_PAST_ALIVE_H

#include "past/candidates.h"

/* Remove the candidates whose names (`snake_case`, camelCase, call(), a file) are not
 * in the work tree any more, and lower the points of those that name nothing.  Trailers
 * stay.  Returns 0 or -1, ERR_HELPER. */
int alive_filter(struct candidates *c, struct err *e);

#endif
