/* pager.h: showing a long text on a terminal by the user's pager. */
#ifndef CO_SYS_PAGER_H
#define CO_SYS_PAGER_H

#include "base/base.h"

/* Hand the LEN bytes of P, fit for a terminal, to $PAGER, or to less, and wait
 * until the user has left it.  False where nothing was shown: standard output
 * is no terminal, or one of no known kind while PAGER is unset; PAGER is empty
 * or `cat`; or there is no such program. */
bool pager_show(const char *p, size_t len);

#endif
