/* progress.c: see progress.h. */
#include "base/progress.h"

void progress_step(const struct progress *p, const char *what, size_t done,
		   size_t total)
{
	if (p)
		p->step(p->ctx, what, done, total);
}
