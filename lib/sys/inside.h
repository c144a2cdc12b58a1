/* inside.h: the environment mark of programs that the suite starts.
 *
 * A model command, an editor, a pager or a git hook may be an agent, or start
 * one, whose own hooks and server run the suite again. Each program outside the
 * suite therefore gets CO_INSIDE=1 in its environment. With it, co-hook, co-mcp
 * and co-harvest do nothing, which prevents endless recursion.
 *
 * Known limit: an agent may not pass the variable to its servers and hooks. See
 * text/request-mark.h for that case.
 */
#ifndef CO_SYS_INSIDE_H
#define CO_SYS_INSIDE_H

#include "base/base.h"

#define INSIDE_VARIABLE "CO_INSIDE"

/* Return true if CO_INSIDE is 1, so a program of the suite started the caller
 * of this process. */
bool inside_is(void);

/* Return the environment of this process with the mark added, for a new
 * process. The caller frees the list; its strings are borrowed. */
char **inside_environment(void);

#endif
