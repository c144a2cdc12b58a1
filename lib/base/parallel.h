/* parallel.h: a loop over many items, shared by threads where that pays.
 *
 *	parallel_begin(&c, fn, ctx, n, least);
 *	... what else is to be done meanwhile ...
 *	parallel_end(&c);
 *
 * From parallel_begin() on others go through the items, and from parallel_end()
 * on the caller too, until none is left.  Where there are fewer than LEAST
 * items, one processor, or no thread to be had, the caller goes through them
 * alone; nobody can tell the difference but by a clock.
 *
 * FN gets the items from FROM up to TO, each once, in any order.  It may change
 * what belongs to those items, or to WHO, and read what nobody changes until
 * parallel_end(); nothing else.  It reports nothing and cannot fail: what it
 * leaves undone is for the caller, afterwards, alone and in order.  So whatever
 * is said and written does not depend on how many there were.
 */
#ifndef CO_BASE_PARALLEL_H
#define CO_BASE_PARALLEL_H

#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>

/* At most so many, the caller with them: what two processors gain was measured,
 * what more of them would gain was not. */
#define PARALLEL_MAX 2

/* WHO is 0 for the caller, less than PARALLEL_MAX for all. */
typedef void parallel_fn(void *ctx, unsigned who, size_t from, size_t to);

/* Its fields are its own. */
struct parallel {
	parallel_fn *fn;
	void *ctx;
	size_t n, portion;
	atomic_size_t next;
	unsigned nhands;
	struct parallel_hand {
		struct parallel *loop;
		unsigned who;
		pthread_t thread;
	} hands[PARALLEL_MAX - 1];
};

/* Cannot fail.  Each begin has its end; nobody forks, or ends a thread, in
 * between. */
void parallel_begin(struct parallel *c, parallel_fn *fn, void *ctx, size_t n,
		    size_t least);
void parallel_end(struct parallel *c);

#endif
