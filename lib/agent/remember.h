/* remember.h: find requests of a person to remember something.
 *
 *	remember: tests need Docker
 *	Remember that tests need Docker
 *	- Learned: `make check` takes three minutes
 *
 * A request is a line that begins so, in upper or lower case, after the mark of a
 * list or none. If nothing follows the colon, it is the lines up to the next blank
 * one. Quoted lines, code and comments do not count. Nor does text that programs put
 * into a prompt, above all the suite's own context: it would come back as news for
 * ever.
 */
#ifndef CO_AGENT_REMEMBER_H
#define CO_AGENT_REMEMBER_H

#include "base/buf.h"

#define REMEMBER_MIN 3	  /* bytes of a request */
#define REMEMBER_MAX 4000 /* a person must be able to review it */

/* Call FN with each such text, stripped, in the LEN bytes of P; nonzero from FN
 * ends the search and is returned, else 0. */
typedef int remember_fn(void *ctx, const char *p, size_t len);
/* Call FN for each such text, stripped, in the LEN bytes of P. If FN returns
 * nonzero, stop and return that, else return 0. */
int remember_each(const char *p, size_t len, remember_fn *fn, void *ctx);

#endif
