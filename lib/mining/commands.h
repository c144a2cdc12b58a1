/* commands.h: recognise the commands that a text tells people to run.
 */
#ifndef CO_MINING_COMMANDS_H
#define CO_MINING_COMMANDS_H

#include "text/markdown.h"

/* Return true if the block B of the text P has commands of the project's own: one that is
 * not obvious, or several. Those that get the source or install something do not
 * count. */
bool commands_in(const struct block *b, const char *p);

#endif
