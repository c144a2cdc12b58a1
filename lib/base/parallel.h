/* parallel.h: a loop over many items, shared by threads where that pays.
 *
 *	parallel_begin(&c, fn, ctx, n, least);
 *	... other work of the caller ...
 *	parallel_end(&c);
 *
 * parallel_begin() starts threads that process items; in parallel_end() the
 * caller joins in until none is left. The caller processes all items itself if
 * there are fewer than LEAST, only one processor, or no thread can be started.
 * The results are the same.
 *
 * FN gets the items from FROM up to, not including, TO. Each item is passed
 * once, in any order. FN may change data of these items or of its thread WHO,
 * and may read data that nobody changes before parallel_end(). It reports
 * nothing and cannot fail: the caller handles the rest after parallel_end(), in
 * order, so that output does not depend on the number of threads.
 */
#ifndef CO_BASE_PARALLEL_H
#define CO_BASE_PARALLEL_H

#include <pthread.h>
#include <stdatomic.h>

/* Most threads of parallel_begin(), including the caller. The gain of two was measured;
 * the gain of more was not. */
#define PARALLEL_MAX 2

/* WHO is the number of the thread, below PARALLEL_MAX; 0 is the caller. */
typedef void parallel_fn(void *ctx, unsigned who, size_t from, size_t to);

/* Most threads of parallel_begin_wide(). */
#define PARALLEL_WIDE 64

/* All fields are private. */
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
	} hands[PARALLEL_WIDE - 1];
};

/* Start and finish the loop over N items. Neither fails. Each begin needs one
 * end; between them the process must not fork or end a thread. */
void parallel_begin(struct parallel *c, parallel_fn *fn, void *ctx, size_t n,
		    size_t least);
void parallel_end(struct parallel *c);

/* Like parallel_begin(), for items that take a millisecond or more each: start
 * a thread for each processor. WHO is below PARALLEL_WIDE. */
void parallel_begin_wide(struct parallel *c, parallel_fn *fn, void *ctx,
			 size_t n);

#endif
