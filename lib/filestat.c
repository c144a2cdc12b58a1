/* filestat.c: the clock is the real one, never CO_NOW: the system stamps files
 * by it.
 */
#include "filestat.h"

#include <time.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

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

#ifdef __APPLE__
	s.mtime = ns_of(st->st_mtimespec);
	s.ctime = ns_of(st->st_ctimespec);
#else
	s.mtime = ns_of(st->st_mtim);
	s.ctime = ns_of(st->st_ctim);
#endif
	return s;
}

bool filestat_same(const struct filestat *a, const struct filestat *b)
{
	return a->mtime == b->mtime && a->ctime == b->ctime &&
	       a->size == b->size && a->ino == b->ino;
}

/* True if DIR is on a file system of this machine that stamps by its clock. */
static bool is_exact(int dir)
{
#ifdef __linux__
	/* ext, xfs, btrfs, tmpfs, overlay, f2fs, zfs, bcachefs */
	static const unsigned long exact[] = {
		0xEF53,	    0x58465342, 0x9123683E, 0x01021994,
		0x794C7630, 0xF2F52010, 0x2FC12FC1, 0xCA451A4E};
	struct statfs fs;

	if (fstatfs(dir, &fs) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(exact); i++) {
		if ((unsigned long)fs.f_type == exact[i])
			return true;
	}
#else
	(void)dir;
#endif
	return false;
}

int64_t filestat_sure(int dir)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return ns_of(now) - (is_exact(dir) ? TICK : SLOW_TICK);
}

bool filestat_is_sure(const struct filestat *a, int64_t sure)
{
	return a->mtime < sure && a->ctime < sure;
}
