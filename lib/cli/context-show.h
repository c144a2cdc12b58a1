/* context-show.h: show the context to a person. */
#ifndef CO_CLI_CONTEXT_SHOW_H
#define CO_CLI_CONTEXT_SHOW_H

#include "base/base.h"

/* Print the context files of the user and, unless GLOBAL, of the project, with the
 * memories that are always loaded, each after a line with its path. On a terminal the
 * text is rendered, unless RAW is set. */
void context_show(bool global, bool raw);

#endif
