/* counter.h: a line on the terminal that shows the progress of long work.
 *
 * It appears on standard error, if that is a terminal, when the work has taken
 * longer than a second. It is erased before anything else is printed.
 */
#ifndef CO_CLI_COUNTER_H
#define CO_CLI_COUNTER_H

#include "base/progress.h"

/* Return the receiver that draws the line. The terminal is examined at the
 * first step, so that short work costs nothing. */
const struct progress *counter(void);

/* True while the line is on the screen. */
bool counter_is_shown(void);

/* Erase the line if it is on the screen. */
void counter_clear(void);

#endif
