/* stamp.c: a restart of the system is detected by its boot time. */
#include "cache/stamp.h"

#include <fcntl.h>
#include <time.h>

#define BOOT_SLACK 2 /* s by which a clock may be adjusted */

static int64_t boot_time(void)
{
	struct timespec now, up;

	clock_gettime(CLOCK_REALTIME, &now);
#ifdef CLOCK_BOOTTIME
	clock_gettime(CLOCK_BOOTTIME, &up);
#else
	clock_gettime(CLOCK_MONOTONIC, &up);
#endif
	return (int64_t)now.tv_sec - (int64_t)up.tv_sec;
}

int stamp_take(struct stamp *s, int dir, const char *name, uint64_t total)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	*s = (struct stamp){filestat_of(&st), boot_time(), total};
	return 0;
}

enum stamp_verdict stamp_test(const struct stamp *s, int dir, const char *name)
{
	const int64_t late = boot_time() - s->boot;
	struct filestat now;
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return STAMP_ABSENT;
	now = filestat_of(&st);
	if (!s->st.ino)
		return STAMP_NONE;
	if (late < -BOOT_SLACK || late > BOOT_SLACK)
		return STAMP_BEFORE;
	return filestat_same(&now, &s->st) ? STAMP_SAME : STAMP_CHANGED;
}
