/* commands.h: recognise the commands that a text tells people to run.
 */
#ifndef CO_MINING_COMMANDS_H
#define CO_MINING_COMMANDS_H

#include "text/markdown.h"

/* Return true if the block B of the text P has a command of the project's own: one that
 * not anybody would try, or several, and not only to get the source or to install
 * something. */
bool commands_in(const struct block *b, const char *p);

#endif
