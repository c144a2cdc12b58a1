/* lock.c: the lock is asked for, never waited for by the kernel, since a wait
 * that ends would need a signal; the pauses between are short and uneven, and
 * who has waited long asks more often, so that of many none is always late.
 */
#include "sys/lock.h"

#include "base/buf.h"
#include "base/compat.h"
#include "base/instant.h"
#include "sys/dirs.h"
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_MIN_US 200
#define PAUSE_MAX_US 6400
#define PATIENCE_MS 2000 /* after this wait half of that, and so on */

/* One try to lock FD; -1 with errno set. */
typedef int lock_fn(int fd);

static int lock_whole(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB);
}

/* Lock FD by TRY: 1, 0 when time is up, -1 with errno set. */
static int take(int fd, lock_fn *try)
{
	const int64_t start = instant_monotonic_ms();
	long us = PAUSE_MIN_US;

	for (;;) {
		struct timespec pause = {0, us * 1000};
		int64_t waited;
		long most;

		if (try(fd) == 0)
			return 1;
		if (errno != EWOULDBLOCK && errno != EACCES && errno != EINTR)
			return -1;
		waited = instant_monotonic_ms() - start;
		if (waited >= LOCK_WAIT_MS)
			return 0;
		nanosleep(&pause, NULL);
		most = (long)(PAUSE_MAX_US * PATIENCE_MS /
			      (PATIENCE_MS + waited));
		us = us < most ? us * 2 : most / 2;
	}
}

/* Open the file that stands for DIR where DIR itself cannot be locked. */
static int open_stand_in(int dir, const char *path, struct err *e)
{
	struct buf name = {0};
	struct stat st;
	char *cache;
	int folder, fd = -1;

	if (dirs_cache(&cache, e) < 0)
		return -1;
	if (file_make_path(cache, 0700, &folder, e) < 0)
		goto out;
	if (fstat(dir, &st) == 0) {
		buf_addf(&name, "lock-%llx-%llx", (unsigned long long)st.st_dev,
			 (unsigned long long)st.st_ino);
		fd = file_open(folder, name.p,
			       O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK,
			       0600);
	}
	if (fd < 0)
		err_sys(e, "cannot lock '%s'", path);
	close(folder);
out:
	buf_release(&name);
	free(cache);
	return fd;
}

/* True if ERROR says that folders, or files at all, cannot be locked there:
 * always, so that everybody takes the file that stands in.  Two who lock
 * different things would both write. */
static bool is_for_good(int error)
{
	return error == EBADF || error == EINVAL || error == ENOSYS ||
	       error == ENOLCK || error == EOPNOTSUPP || error == ENOTSUP;
}

static int busy(const char *path, struct err *e)
{
	return err_set(e, ERR_BUSY,
		       "'%s' is locked by another program: try again", path);
}

int lock_take(int dir, const char *path, int *fd, struct err *e)
{
	int r = take(dir, lock_whole);

	*fd = -1;
	if (r < 0 && is_for_good(errno)) {
		*fd = open_stand_in(dir, path, e);
		if (*fd < 0)
			return -1;
		r = take(*fd, lock_whole);
	}
	if (r == 1)
		return 0;
	if (r < 0)
		err_sys(e, "cannot lock '%s'", path);
	else
		busy(path, e);
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	return -1;
}

/* True if FD is what NAME in BESIDE is: git replaces files. */
static bool still_is(int fd, int beside, const char *name)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 &&
	       fstatat(beside, name, &b, AT_SYMLINK_NOFOLLOW) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int lock_share(int dir, int beside, const char *name, const char *path, int *fd,
	       struct err *e)
{
	int r;

	*fd = -1;
	if (!compat_is_shared(dir))
		return 0;
	for (;;) {
		*fd = file_open(beside, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK,
				0);
		if (*fd < 0)
			return 0;
		r = take(*fd, compat_lock_open_file);
		if (r == 1 && still_is(*fd, beside, name))
			return 0;
		close(*fd);
		*fd = -1;
		if (r == 0)
			return busy(path, e);
		if (r < 0)
			return 0;
	}
}

void lock_release(int dir, int fd)
{
	if (fd >= 0)
		close(fd);
	else
		flock(dir, LOCK_UN);
}
