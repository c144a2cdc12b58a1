/* sandbox.h: a process that reads what a stranger wrote gives up what it does not
 * need: files, sockets, other processes.
 */
#ifndef CO_SYS_SANDBOX_H
#define CO_SYS_SANDBOX_H

#include "base/err.h"

#include <sys/types.h>

#define SANDBOX_FILES 1u /* no file can be opened, by Landlock */
#define SANDBOX_CALLS \
	2u /* of the system's calls those alone are left that read
			  * and write what is open, take memory and end */

/* Close what can be closed, for good.  Returns which of the above hold, 0 where
 * the system has nothing of the kind. */
unsigned sandbox_close(void);

/* End this process by SIGXCPU after SECONDS of work, and let it have no more
 * than BYTES of memory; sanitizers need more, and are let be. */
void sandbox_limit(unsigned seconds, size_t bytes);

/* Wait for the process PID, which was limited: its exit status.  ERR_SYSTEM: it
 * died of a limit, or of what it read. */
int sandbox_wait(pid_t pid, struct err *e);

/* Cut this process, and all that it starts, off the network.  False where the
 * system does not allow it. */
bool sandbox_leave_network(void);

#endif
