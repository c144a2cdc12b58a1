/* sandbox.h: restrict a process that parses untrusted data. */
#ifndef CO_SYS_SANDBOX_H
#define CO_SYS_SANDBOX_H

#include "base/err.h"

#include <sys/types.h>

#define SANDBOX_FILES 1u /* no file can be opened (Landlock) */
#define SANDBOX_CALLS 2u /* only calls that use open files, allocate or exit */

/* Apply all supported restrictions, irrevocably. Returns the flags that hold; 0
 * if the system supports none. */
unsigned sandbox_close(void);

/* Limit this process to SECONDS of processor time (then SIGXCPU) and BYTES of
 * memory. Under a sanitizer memory is not limited. */
void sandbox_limit(unsigned seconds, size_t bytes);

/* Wait for the limited process PID. Returns its exit status, or -1 with
 * ERR_SYSTEM if a limit or a crash ended it. If it died of SIGPIPE, this
 * process does, too. */
int sandbox_wait(pid_t pid, struct err *e);

/* Cut this process and its children off the network. Returns false if the
 * system does not allow it. */
bool sandbox_leave_network(void);

#endif
