/* web.h: the server of scenarios that fetch, who ask it as their proxy for pages
 * of any name.
 *
 *	.../gone           is not there
 *	.../same           has not changed, to who says what it had
 *	all else           is one page
 */
#ifndef CO_WEB_H
#define CO_WEB_H

#include <sys/types.h>

/* Start it on this machine, and name it in the environment, as WEB; the process
 * ends with ours, or when it is killed. */
pid_t web_start(void);

#endif
