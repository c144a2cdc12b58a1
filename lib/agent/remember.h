/* remember.h: find requests of a person to remember something.
 *
 *	remember: tests need Docker
 *	Remember that tests need Docker
 *	- Learned: `make check` takes three minutes
 *
 * A request is a line that begins like these, in upper or lower case, with or
 * without a list marker. If nothing follows the colon, the request is the lines
 * up to the next blank one. Quoted lines, code and comments do not count. Text
 * that programs put into a prompt does not count either: otherwise the suite's
 * own context would come back as new memories at each session.
 */
#ifndef CO_AGENT_REMEMBER_H
#define CO_AGENT_REMEMBER_H

#include "base/buf.h"

#define REMEMBER_MIN 3	  /* bytes of a request */
#define REMEMBER_MAX 4000 /* a person must be able to review it */

typedef int remember_fn(void *ctx, const char *p, size_t len);
/* Call FN for each such text in the LEN bytes of P, without blanks around it,
 * if it has REMEMBER_MIN to REMEMBER_MAX bytes. If FN returns nonzero, stop and
 * return that, else return 0. */
int remember_each(const char *p, size_t len, remember_fn *fn, void *ctx);

#endif
