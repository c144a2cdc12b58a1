/* progress.h: telling a person how far a long work is.
 *
 * Who does the work calls progress_step() as often as it likes, from one thread;
 * whoever shows it decides when.
 */
#ifndef CO_BASE_PROGRESS_H
#define CO_BASE_PROGRESS_H

#include "base/base.h"

struct progress {
	void (*step)(void *ctx, const char *what, size_t done, size_t total);
	void *ctx;
};

/* DONE of TOTAL (0: nobody knows how many) are done; WHAT they are, in the
 * plural.  P may be NULL. */
void progress_step(const struct progress *p, const char *what, size_t done,
		   size_t total);

#endif
