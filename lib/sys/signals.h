/* signals.h: hold back the signals that end this process.
 *
 * They are blocked in the calling thread. sigprocmask(SIG_SETMASK, BEFORE, NULL) delivers
 * those that came meanwhile.
 */
#ifndef CO_SYS_SIGNALS_H
#define CO_SYS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Block SIGINT, SIGTERM, SIGHUP and SIGQUIT, and also MORE: SIGTSTP, SIGPIPE, or 0 for no
 * other. Set *BEFORE to the mask before the call. */
void signals_hold(int more, sigset_t *before);

/* Return true if one of them is pending that this process does not ignore. */
bool signals_pending(void);

#endif
