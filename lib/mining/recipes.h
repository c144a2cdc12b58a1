/* recipes.h: find the drafts that tell readers to run what the work tree does not have.
 */
#ifndef CO_MINING_RECIPES_H
#define CO_MINING_RECIPES_H

#include "mining/candidates.h"

/* Remove from C the texts of files with a command that calls a target which no Makefile
 * has, a script which no package.json has, or a file which is not in its directory. Of
 * the Makefiles and package.json, only those count that are in the directory of the
 * guide, in one above it, or in one that the text names. A Makefile that a program
 * generates may have any target. Return 0 or -1, ERR_HELPER or ERR_SYSTEM. */
int recipes_drop_gone(struct candidates *c, struct err *e);

#endif
