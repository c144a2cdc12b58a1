/* reach.h: find out whether directories answer.
 *
 * A directory may be on a network file system whose server is gone; opening it
 * then waits for ever. So a thread checks all directories ahead of the caller,
 * and one at which it hangs is left out.
 */
#ifndef CO_SEARCH_REACH_H
#define CO_SEARCH_REACH_H

#include "base/base.h"

#define REACH_SECONDS 3	 /* how long one may take */
#define REACH_LOST_MAX 3 /* how many are waited for */

struct reach;

/* Start to check the N FOLDERS, which are copied. End with reach_end(). */
struct reach *reach_begin(const char *const *folders, size_t n);

/* Return true if directory I answers, even if it does not exist. Waits for it.
 * Call this in ascending order. After REACH_LOST_MAX failures, directories not
 * yet checked count as not answering. */
bool reach_answers(struct reach *r, size_t i);

void reach_end(struct reach *r);

#endif
