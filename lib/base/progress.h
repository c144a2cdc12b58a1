/* progress.h: progress of long work, shown to a person.
 *
 * The worker calls progress_step() as often as it likes, from one thread. The
 * receiver decides when to display it.
 */
#ifndef CO_BASE_PROGRESS_H
#define CO_BASE_PROGRESS_H

#include "base/base.h"

struct progress {
	void (*step)(void *ctx, const char *what, size_t done, size_t total);
	void *ctx;
};

/* Report that DONE of TOTAL items are done (TOTAL 0: unknown). WHAT names the
 * items, in the plural. P may be NULL. */
static inline void progress_step(const struct progress *p, const char *what,
				 size_t done, size_t total)
{
	if (p)
		p->step(p->ctx, what, done, total);
}

#endif
