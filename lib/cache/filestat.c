/* filestat.c: uses the real clock, not CO_NOW: the system stamps files by it.
 */
#include "cache/filestat.h"

#include "base/compat.h"

#define SECOND INT64_C(1000000000)
#define TICK (10 * SECOND / 1000)
#define SLOW_TICK (2 * SECOND)

static int64_t ns_of(struct timespec t)
{
	if (t.tv_sec >= INT64_MAX / SECOND)
		return INT64_MAX;
	if (t.tv_sec <= INT64_MIN / SECOND)
		return INT64_MIN;
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

struct filestat filestat_of(const struct stat *st)
{
	struct filestat s = {(uint64_t)st->st_ino, (uint64_t)st->st_size, 0, 0};

	s.mtime = ns_of(compat_mtime(st));
	s.ctime = ns_of(compat_ctime(st));
	return s;
}

bool filestat_same(const struct filestat *a, const struct filestat *b)
{
	return a->mtime == b->mtime && a->ctime == b->ctime &&
	       a->size == b->size && a->ino == b->ino;
}

int64_t filestat_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return ns_of(now);
}

int64_t filestat_sure(int dir)
{
	return filestat_now() - (compat_stamps_exactly(dir) ? TICK : SLOW_TICK);
}

bool filestat_is_sure(const struct filestat *a, int64_t sure)
{
	return a->mtime < sure && a->ctime < sure;
}
