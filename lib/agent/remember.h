/* remember.h: what a person asked to be remembered, in so many words.
 *
 *	remember: tests need Docker
 *	Remember that tests need Docker
 *	- Learned: `make check` takes three minutes
 *
 * A line that begins so, in any case, behind the mark of a list or none; where
 * nothing follows the colon, the lines up to the next blank one.  Not in quoted
 * lines, code nor comments; nor in what programs put into a prompt, the suite's
 * own context first of all: it would come back as news for ever.
 */
#ifndef CO_AGENT_REMEMBER_H
#define CO_AGENT_REMEMBER_H

#include "base/buf.h"

#define REMEMBER_MIN 3	  /* bytes worth remembering, and */
#define REMEMBER_MAX 4000 /* no more than anybody reads over */

/* Call FN with each such text, stripped, in the LEN bytes of P; nonzero from FN
 * ends the search and is returned, else 0. */
typedef int remember_fn(void *ctx, const char *p, size_t len);
int remember_each(const char *p, size_t len, remember_fn *fn, void *ctx);

#endif
