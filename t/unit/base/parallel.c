/* parallel.c: threads process each item exactly once. */
#include "../expect.h"

#include "base/parallel.h"
#include "base/mem.h"

struct counting {
	unsigned char *times;		 /* each item was processed */
	size_t sums[PARALLEL_MAX];	 /* items of each thread */
	unsigned char odd[PARALLEL_MAX]; /* an invalid portion */
	size_t n;
};

static void count(void *ctx, unsigned who, size_t from, size_t to)
{
	struct counting *c = ctx;

	expect(who < PARALLEL_MAX, "the number of the thread is valid");
	c->odd[who] |= from >= to || to > c->n;
	for (size_t i = from; i < to; i++)
		c->times[i]++;
	c->sums[who] += to - from;
}

static void try(size_t n, size_t least)
{
	struct counting c = {.times = mem_alloc(n), .n = n};
	struct parallel loop;
	size_t sum = 0;

	parallel_begin(&loop, count, &c, n, least);
	parallel_end(&loop);
	for (unsigned who = 0; who < PARALLEL_MAX; who++) {
		expect(!c.odd[who], "portions are inside the loop");
		sum += c.sums[who];
	}
	expect(sum == n, "all items are processed");
	expect(n >= least || c.sums[0] == n,
	       "the caller processes a short loop itself");
	for (size_t i = 0; i < n; i++)
		expect(c.times[i] == 1, "each item is processed once");
	free(c.times);
}

static void test_all(void)
{
	static const size_t sizes[] = {0,  1,	2,   3,	  15,	16,    17,
				       31, 255, 256, 257, 4095, 10000, 100001};

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		for (int round = 0; round < 20; round++)
			try(sizes[i], 0);
		try(sizes[i], sizes[i] + 1);
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"threads process each item exactly once", test_all},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
