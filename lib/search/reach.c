/* reach.c: a thread that hangs in a call cannot be ended.  It is left behind, with
 * what it knows, and another goes on with the folder after that; the end of the
 * process takes all of them.
 */
#include "search/reach.h"

#include "base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

struct reach {
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t told;
	size_t at, n;	  /* AT: which is looked at */
	unsigned lost;	  /* threads; the one that works has this number */
	unsigned users;	  /* the caller and threads: the last one frees it */
	bool alone, over; /* no thread is to be had; nobody asks any more */
	char **folders;
	bool *lost_one; /* by folder: it did not answer */
};

static void leave(struct reach *r)
{
	const bool last = !--r->users;

	pthread_mutex_unlock(&r->lock);
	if (!last)
		return;
	for (size_t i = 0; i < r->n; i++)
		free(r->folders[i]);
	free(r->folders);
	free(r->lost_one);
	pthread_cond_destroy(&r->told);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static void *look(void *ctx)
{
	struct reach *r = ctx;
	unsigned number;
	struct stat st;

	pthread_mutex_lock(&r->lock);
	number = r->lost;
	while (r->at < r->n && r->lost == number && !r->over) {
		const char *folder = r->folders[r->at];

		pthread_mutex_unlock(&r->lock);
		stat(folder, &st);
		pthread_mutex_lock(&r->lock);
		if (r->lost == number) {
			r->at++;
			pthread_cond_signal(&r->told);
		}
	}
	leave(r);
	return NULL;
}

/* Have a thread go on; R is locked. */
static void begin(struct reach *r)
{
	pthread_attr_t attr;
	pthread_t thread;

	r->users++;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	r->alone = pthread_create(&thread, &attr, look, r) != 0;
	r->users -= r->alone;
	pthread_attr_destroy(&attr);
}

struct reach *reach_begin(const char *const *folders, size_t n)
{
	struct reach *r = mem_alloc(sizeof(*r));

	*r = (struct reach){.n = n, .users = 1};
	r->folders = mem_alloc((n + 1) * sizeof(*r->folders));
	r->lost_one = mem_alloc(n + 1);
	memset(r->lost_one, 0, n + 1);
	for (size_t i = 0; i < n; i++)
		r->folders[i] = mem_strdup(folders[i]);
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->told, NULL);
	pthread_mutex_lock(&r->lock);
	if (n)
		begin(r);
	pthread_mutex_unlock(&r->lock);
	return r;
}

bool reach_answers(struct reach *r, size_t i)
{
	struct timespec until;
	bool answers;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += REACH_SECONDS;
	pthread_mutex_lock(&r->lock);
	while (r->at <= i && !r->alone && r->lost < REACH_LOST_MAX) {
		const size_t was = r->at;
		const int e =
			pthread_cond_timedwait(&r->told, &r->lock, &until);

		if (e != ETIMEDOUT || r->at != was)
			continue;
		/* It may hang for an earlier one that nobody asked for. */
		r->lost_one[r->at++] = true;
		if (++r->lost < REACH_LOST_MAX)
			begin(r);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec += REACH_SECONDS;
	}
	answers = r->alone || (r->at > i && !r->lost_one[i]);
	pthread_mutex_unlock(&r->lock);
	return answers;
}

void reach_end(struct reach *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->over = true;
	leave(r);
}
