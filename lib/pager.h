/* pager.h: long answers on a terminal, a screenful at a time. */
#ifndef CO_PAGER_H
#define CO_PAGER_H

#include "base.h"

#include <sys/types.h>

struct pager {
	pid_t pid; /* 0 when there is none */
};

/* Where standard output is a terminal, put $PAGER (else less) before it; an
 * empty PAGER, or `cat`, is none.  True if standard output leads to a terminal,
 * so that what is printed must be safe for one. */
bool pager_start(struct pager *p);

/* After standard output was closed: wait until the user has left the pager. */
void pager_wait(struct pager *p);

#endif
