/* committed.h: a store as a commit has it. */
#ifndef CO_HISTORY_COMMITTED_H
#define CO_HISTORY_COMMITTED_H

#include "store/store.h"

/* Write the files that the commit REV of S has to a temporary directory, and call FN with
 * the store there, WAS. If the commit has no store, FN is not called. Then remove the
 * directory, and the cache of WAS. Return the result of FN, 0, or -1 as
 * history_lay_out(). */
typedef int committed_fn(void *ctx, struct store *was, struct err *e);
int committed_with(struct store *s, const char *rev, committed_fn *fn,
		   void *ctx, struct err *e);

#endif
