/* reach.h: whether folders answer at all.
 *
 * One may lie on a file system of another machine that is gone: whoever opens it
 * waits for ever.  So a thread looks at all of them ahead of who asks, and where
 * it comes back from one no more, that is left out.
 */
#ifndef CO_SEARCH_REACH_H
#define CO_SEARCH_REACH_H

#include "base/base.h"

#define REACH_SECONDS 3	 /* that one may take to answer */
#define REACH_LOST_MAX 3 /* that are waited for so long */

struct reach;

/* Begin to look at the folders FOLDERS, which stay the caller's.  End with
 * reach_end(). */
struct reach *reach_begin(const char *const *folders, size_t n);

/* True if folder I answers, be it that it is not there; it may be waited for.  To be
 * asked in order.  Once REACH_LOST_MAX did not, none does that was not looked at. */
bool reach_answers(struct reach *r, size_t i);

void reach_end(struct reach *r);

#endif
