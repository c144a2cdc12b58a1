/* bring-back.h: taking back what was forgotten last. */
#ifndef CO_FORGET_BRING_BACK_H
#define CO_FORGET_BRING_BACK_H

#include "store/store.h"

/* Bring the newest removal of S back, and say what it was; returns the exit status:
 * ERR_NO, there is none. */
int bring_back(struct store *s);

#endif
