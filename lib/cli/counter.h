/* counter.h: a line on the terminal that counts while a long work goes on.
 *
 * It appears on standard error when the work takes longer than a second, if that
 * is a terminal, and is gone before anything else is printed.
 */
#ifndef CO_CLI_COUNTER_H
#define CO_CLI_COUNTER_H

#include "base/progress.h"

/* What counts there; whether there is a terminal for it is asked at the first
 * step, so that who does nothing long asks nothing. */
const struct progress *counter(void);

/* True while the line is there. */
bool counter_is_shown(void);

/* Take the line away, if it is there. */
void counter_clear(void);

#endif
