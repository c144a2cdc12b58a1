/* guides.h: what guides for contributors and README files tell them to do.
 */
#ifndef CO_MINING_GUIDES_H
#define CO_MINING_GUIDES_H

#include "mining/sections.h"

/* Add the commands and the rules of the file in S, whose PATH, P and LEN are set, to
 * C. */
void guides_read(struct candidates *c, struct section *s);

#endif
