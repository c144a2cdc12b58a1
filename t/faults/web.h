/* web.h: the server of scenarios that fetch pages. Programs use it as a proxy for
 * pages of any name.
 *
 *	.../gone           does not exist
 *	.../same           has not changed, for a client that has it
 *	all others         are one page
 */
#ifndef CO_WEB_H
#define CO_WEB_H

#include <sys/types.h>

/* Start the server on this machine, and set the environment as WEB does. The
 * server ends with this process, or when it is killed. */
pid_t web_start(void);

#endif
