/* parallel.h: a loop over many items, shared by threads where that pays.
 *
 *	crew_begin(&c, fn, ctx, n, least);
 *	... what else is to be done meanwhile ...
 *	crew_end(&c);
 *
 * From crew_begin() on others go through the items, and from crew_end() on the
 * caller too, until none is left.  Where there are fewer than LEAST items, one
 * processor, or no thread to be had, the caller goes through them alone; nobody
 * can tell the difference but by a clock.
 *
 * FN gets the items from FROM up to TO, each once, in any order.  It may change
 * what belongs to those items, or to WHO, and read what nobody changes until
 * crew_end(); nothing else.  It reports nothing and cannot fail: what it leaves
 * undone is for the caller, afterwards, alone and in order.  So whatever is
 * said and written does not depend on how many there were.
 */
#ifndef CO_CREW_H
#define CO_CREW_H

#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>

/* At most so many, the caller with them: what two processors gain was measured,
 * what more of them would gain was not. */
#define CREW_MAX 2

/* WHO is 0 for the caller, less than CREW_MAX for all. */
typedef void crew_fn(void *ctx, unsigned who, size_t from, size_t to);

/* Its fields are its own. */
struct crew {
	crew_fn *fn;
	void *ctx;
	size_t n, portion;
	atomic_size_t next;
	unsigned nhands;
	struct crew_hand {
		struct crew *crew;
		unsigned who;
		pthread_t thread;
	} hands[CREW_MAX - 1];
};

/* Cannot fail.  Each begin has its end; nobody forks, or ends a thread, in
 * between. */
void crew_begin(struct crew *c, crew_fn *fn, void *ctx, size_t n, size_t least);
void crew_end(struct crew *c);

#endif
