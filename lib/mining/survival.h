/* survival.h: see whether the work tree still has what a commit added. */
#ifndef CO_MINING_SURVIVAL_H
#define CO_MINING_SURVIVAL_H

#include "mining/candidates.h"

/* Remove from C the reasons and repairs whose commits only removed lines, or added
 * several of which none is left in the tracked files: what they explain is gone.
 * Keep all if files could not be read. Returns 0 or -1, ERR_HELPER or ERR_SYSTEM. */
int survival_filter(struct candidates *c, struct err *e);

#endif
