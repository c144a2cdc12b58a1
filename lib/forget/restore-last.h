/* restore-last.h: restore what was forgotten last. */
#ifndef CO_FORGET_RESTORE_LAST_H
#define CO_FORGET_RESTORE_LAST_H

#include "store/store.h"

/* Restore the newest removal of S and print it. Return the exit status: ERR_NO
 * if there is none. */
int restore_last(struct store *s);

#endif
