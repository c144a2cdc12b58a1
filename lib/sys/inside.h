/* inside.h: the mark of the programs that the suite starts.
 *
 * A model command, an editor, a pager or a hook of git's may be an agent, or start
 * one, whose own hooks and server run the suite again.  Each program that is not
 * of the suite gets CO_INSIDE=1 in its environment.  Under it co-hook, co-mcp and
 * co-harvest do nothing, so that no work sets off more of its kind.
 *
 * Known limit: an agent may keep the variable from the servers and hooks that it
 * starts.  See text/request-mark.h for what holds then.
 */
#ifndef CO_SYS_INSIDE_H
#define CO_SYS_INSIDE_H

#include "base/base.h"

#define INSIDE_VARIABLE "CO_INSIDE"

/* Return true if the variable is 1: if this process was started by a program that the suite started. */
bool inside_is(void);

/* Return the environment of this process with the mark added, for a program that is
 * about to be started.  The list is the caller's, release with free(); its strings
 * are borrowed. */
char **inside_environment(void);

#endif
