/* pager.h: show a long text in the user's pager. */
#ifndef CO_SYS_PAGER_H
#define CO_SYS_PAGER_H

#include "base/base.h"

/* Show LEN bytes of P, which must be safe for a terminal, in $PAGER or less,
 * and wait for its end. Returns false if nothing was shown: standard output is
 * not a terminal, or an unknown one while PAGER is unset; PAGER is empty or
 * `cat`; or the program does not exist. */
bool pager_show(const char *p, size_t len);

#endif
