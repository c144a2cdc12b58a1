/* parallel.c: threads that take portions of a loop until none is left, so that
 * one that gets less of a processor does less.
 *
 * They live for one loop: to start one takes about as long as to look at a
 * hundred files.  Signals are the caller's.
 */
#include "base/parallel.h"

#include "base/compat.h"

#include <signal.h>

/* A portion is small enough that nobody waits long for who has the last one,
 * and large enough that taking it costs nothing. */
#define PORTIONS 16
#define PORTION_MAX 256

/* Nothing that runs on one recurs deeply. */
#define STACK_BYTES ((size_t)512 * 1024)

static void work(struct parallel *c, unsigned who)
{
	size_t from;

	while ((from = atomic_fetch_add(&c->next, c->portion)) < c->n)
		c->fn(c->ctx, who, from,
		      c->n - from < c->portion ? c->n : from + c->portion);
}

static void *run(void *p)
{
	const struct parallel_hand *hand = p;

	work(hand->loop, hand->who);
	return NULL;
}

static void start(struct parallel *c, unsigned most)
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
		struct parallel_hand *hand = &c->hands[c->nhands];

		*hand = (struct parallel_hand){.loop = c, .who = c->nhands + 1};
		if (pthread_create(&hand->thread, &how, run, hand))
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
	start(c, most < PARALLEL_MAX ? most : PARALLEL_MAX);
}

void parallel_end(struct parallel *c)
{
	work(c, 0);
	for (unsigned i = 0; i < c->nhands; i++) {
		compat_call_back(c->hands[i].thread);
		pthread_join(c->hands[i].thread, NULL);
	}
}
