/* stamp.c: see stamp.h.
 *
 * What was written but not synced may be lost when the system goes down, and
 * leave a stat that is right beside bytes that are not.  So a stamp of another
 * run of the system, as its clock tells it, counts for nothing at a glance.
 */
#include "stamp.h"

#include "file.h"
#include "hash.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#define PIECE ((size_t)64 * 1024)
#define BOOT_SLACK 2 /* s that a clock may be set by without any harm */

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

static int sum_file(int fd, uint64_t seed, uint64_t *sum)
{
	char *piece = mem_alloc(PIECE);
	size_t len = 0;
	ssize_t n;

	*sum = seed;
	do {
		n = read(fd, piece + len, PIECE - len);
		len += n > 0 ? (size_t)n : 0;
		if (len == PIECE || n == 0) {
			*sum = hash_bytes(piece, len, *sum);
			len = 0;
		}
	} while (n > 0 || (n < 0 && errno == EINTR));
	free(piece);
	return n < 0 ? -1 : 0;
}

int stamp_take(struct stamp *s, int dir, const char *name, uint64_t seed)
{
	const int64_t sure = filestat_sure(dir);
	int fd = file_open(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	struct stat st;
	int r = -1;

	if (fd < 0)
		return -1;
	*s = (struct stamp){.sure = sure, .boot = boot_time()};
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    sum_file(fd, seed, &s->sum) == 0) {
		s->st = filestat_of(&st);
		r = 0;
	}
	close(fd);
	return r;
}

enum stamp_verdict stamp_test(struct stamp *s, int dir, const char *name,
			      uint64_t seed, uint64_t *size)
{
	int64_t late = boot_time() - s->boot;
	struct filestat now;
	struct stamp fresh;
	struct stat st;

	*size = 0;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return STAMP_ABSENT;
	now = filestat_of(&st);
	*size = now.size;
	if (now.size != s->st.size)
		return STAMP_OTHER;
	if (filestat_same(&now, &s->st) && filestat_is_sure(&s->st, s->sure) &&
	    late >= -BOOT_SLACK && late <= BOOT_SLACK)
		return STAMP_SAME;
	if (stamp_take(&fresh, dir, name, seed) < 0 || fresh.sum != s->sum ||
	    fresh.st.size != s->st.size)
		return STAMP_OTHER;
	*s = fresh;
	return STAMP_RENEWED;
}
