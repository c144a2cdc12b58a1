/* parallel.c: threads that take portions of the loop until none is left. A
 * thread that gets less processor time does fewer portions.
 *
 * The threads live for one loop: starting one takes about as long as examining
 * a hundred files. They block all signals, so the caller handles these.
 */
#include "base/parallel.h"

#include "base/compat.h"

#include <signal.h>

/* A portion is small enough that waiting for the last one is short, and large
 * enough that the atomic operation costs nothing. */
#define PORTIONS 16
#define PORTION_MAX 256

/* No loop function recurses deeply. */
#define STACK_BYTES ((size_t)512 * 1024)

static void run_portions(struct parallel *c, unsigned who)
{
	size_t from;

	while ((from = atomic_fetch_add(&c->next, c->portion)) < c->n)
		c->fn(c->ctx, who, from,
		      c->n - from < c->portion ? c->n : from + c->portion);
}

static void *run_thread(void *p)
{
	const struct parallel_hand *worker = p;

	run_portions(worker->loop, worker->who);
	return NULL;
}

static void start_threads(struct parallel *c, unsigned most)
{
	pthread_attr_t how;
	sigset_t all, before;

	if (pthread_attr_init(&how))
		return;
	pthread_attr_setstacksize(&how, STACK_BYTES);
	compat_begin_elsewhere(&how);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (c->nhands + 1 < most) {
		struct parallel_hand *worker = &c->hands[c->nhands];

		*worker =
			(struct parallel_hand){.loop = c, .who = c->nhands + 1};
		if (pthread_create(&worker->thread, &how, run_thread, worker))
			break;
		c->nhands++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&how);
}

void parallel_begin(struct parallel *c, parallel_fn *fn, void *ctx, size_t n,
		    size_t least)
{
	unsigned most;

	*c = (struct parallel){.fn = fn, .ctx = ctx, .n = n};
	c->portion = n / PORTIONS + 1;
	if (c->portion > PORTION_MAX)
		c->portion = PORTION_MAX;
	if (n < least || n < PARALLEL_MAX)
		return;
	most = compat_processors();
	start_threads(c, most < PARALLEL_MAX ? most : PARALLEL_MAX);
}

void parallel_begin_wide(struct parallel *c, parallel_fn *fn, void *ctx,
			 size_t n)
{
	unsigned most = compat_processors();

	*c = (struct parallel){.fn = fn, .ctx = ctx, .n = n, .portion = 1};
	most = most < PARALLEL_WIDE ? most : PARALLEL_WIDE;
	start_threads(c, most < n ? most : (unsigned)n);
}

void parallel_end(struct parallel *c)
{
	run_portions(c, 0);
	for (unsigned i = 0; i < c->nhands; i++) {
		compat_call_back(c->hands[i].thread);
		pthread_join(c->hands[i].thread, NULL);
	}
}
