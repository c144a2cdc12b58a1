/* counter.h: a line on the terminal that counts while a long work goes on.
 *
 * It appears on standard error when the work takes longer than a second, if that
 * is a terminal, and is gone before anything else is printed.
 */
#ifndef CO_CLI_COUNTER_H
#define CO_CLI_COUNTER_H

#include "base/progress.h"

/* What counts there; NULL where there is no terminal for it. */
const struct progress *counter(void);

/* Take the line away, if it is there. */
void counter_clear(void);

#endif
