/* reach.c: a thread that hangs in a system call cannot be ended. It is
 * abandoned with the data it uses, and another thread continues with the next
 * directory. The end of the process ends all of them.
 */
#include "search/reach.h"

#include "base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

struct reach {
	pthread_mutex_t lock; /* protects the fields below */
	pthread_cond_t told;
	size_t at, n;	  /* AT: the directory being checked */
	unsigned lost;	  /* abandoned threads; also the number of the working
			   * one */
	unsigned users;	  /* the caller and all threads; the last one frees
			   * it */
	bool alone, over; /* ALONE: no thread can be started; OVER: the caller
			   * is done */
	char **folders;
	bool *lost_one; /* by directory: it did not answer */
};

static void drop_user(struct reach *r)
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

static void *check_folders(void *ctx)
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
	drop_user(r);
	return NULL;
}

/* Start a thread. R is locked. */
static void start_thread(struct reach *r)
{
	pthread_attr_t attr;
	pthread_t thread;

	r->users++;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	r->alone = pthread_create(&thread, &attr, check_folders, r) != 0;
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
		start_thread(r);
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
		/* The thread may hang at an earlier directory that was not
		 * asked for. */
		r->lost_one[r->at++] = true;
		if (++r->lost < REACH_LOST_MAX)
			start_thread(r);
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
	drop_user(r);
}
