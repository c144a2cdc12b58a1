/* bring-back.h: restore what was forgotten last. */
#ifndef CO_FORGET_BRING_BACK_H
#define CO_FORGET_BRING_BACK_H

#include "store/store.h"

/* Restore the newest removal of S and print it. Return the exit status: ERR_NO
 * if there is none. */
int bring_back(struct store *s);

#endif
