/* survival.h: see whether the work tree still has what a commit added. */
#ifndef CO_MINING_SURVIVAL_H
#define CO_MINING_SURVIVAL_H

#include "mining/candidates.h"

/* Lower the points of the reasons and repairs in C that explain code that is gone: their
 * commits only removed lines, or the tracked files have few or none of the lines that
 * they added. Lower none if files could not be read. Return 0 or -1, ERR_HELPER or
 * ERR_SYSTEM. */
int survival_judge(struct candidates *c, struct err *e);

#endif
