/* survival.h: see whether the work tree still has what a commit added. */
#ifndef CO_MINING_SURVIVAL_H
#define CO_MINING_SURVIVAL_H

#include "mining/candidates.h"

/* Lower the points of the reasons and repairs in C whose commits only removed lines, or
 * added lines of which few or none are left in the tracked files: what they explain is
 * gone. Lower none if files could not be read. Return 0 or -1, ERR_HELPER or
 * ERR_SYSTEM. */
int survival_judge(struct candidates *c, struct err *e);

#endif
