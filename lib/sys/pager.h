/* pager.h: show a long text in the user's pager, or in a program that lets the person
 * choose a line of it. */
#ifndef CO_SYS_PAGER_H
#define CO_SYS_PAGER_H

#include "base/buf.h"

/* Show LEN bytes of P, which must be safe for a terminal, in $PAGER or less,
 * and wait for its end. Returns false if nothing was shown: standard output is
 * not a terminal, or an unknown one while PAGER is unset; PAGER is empty or
 * `cat`; or the program does not exist. */
bool pager_show(const char *p, size_t len);

/* Run the program at ARGV[0] on the terminal, with LEN bytes of P on its standard
 * input, and replace OUT by its standard output. Returns its exit status, or -1 if it
 * was not run or was killed. */
int pager_choose(const char *const *argv, const char *p, size_t len,
		 struct buf *out);

#endif
