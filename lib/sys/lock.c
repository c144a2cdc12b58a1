/* lock.c: the lock is polled, because a blocking call with a time limit would
 * need a signal. The pauses are short and uneven. A process that has waited for
 * a long time polls more often, so that none starves. */
#include "sys/lock.h"

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
#define PATIENCE_MS 2000 /* wait after which pauses are half as long */

/* Try to lock FD. Returns 0, or -1 with errno set. */
typedef int lock_fn(int fd);

static int lock_whole(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB);
}

/* The directories whose locks this process, or one that started it, has passed on: the
 * name of each from add_name(), between blanks. */
#define PASSED "CO_LOCKS_PASSED"

static void add_name(struct buf *out, int dir)
{
	struct stat st;

	if (fstat(dir, &st) == 0)
		buf_addf(out, " %llx-%llx ", (unsigned long long)st.st_dev,
			 (unsigned long long)st.st_ino);
}

/* Return true if a program that waits for this process holds the lock of DIR. */
static bool is_passed(int dir)
{
	const char *passed = getenv(PASSED);
	struct buf name = {0};
	bool is;

	if (!passed)
		return false;
	add_name(&name, dir);
	is = name.len && strstr(passed, name.p);
	buf_release(&name);
	return is;
}

/* Lock FD by TRY: for at most LOCK_WAIT_MS if it WAITS, else once. Returns 1, 0 on
 * timeout, or -1 with errno set. */
static int poll_lock(int fd, lock_fn *try, bool waits)
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
		if (!waits || waited >= LOCK_WAIT_MS)
			return 0;
		nanosleep(&pause, NULL);
		most = (long)(PAUSE_MAX_US * PATIENCE_MS /
			      (PATIENCE_MS + waited));
		us = us < most ? us * 2 : most / 2;
	}
}

/* Open the fallback lock file for DIR, in the user's cache directory. */
static int open_fallback(int dir, const char *path, struct err *e)
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

/* Return true if ERROR means that directories can never be locked there, so
 * that all processes use the fallback file. If two used different locks, both
 * would write. */
static bool is_unsupported(int error)
{
	return error == EBADF || error == EINVAL || error == ENOSYS ||
	       error == ENOLCK || error == EOPNOTSUPP || error == ENOTSUP;
}

static int set_busy(const char *path, bool passed, struct err *e)
{
	if (passed)
		return err_set(e, ERR_BUSY,
			       "'%s' is locked by the program that started "
			       "this one, as 'co sync' starts a hook of git: "
			       "try again after it",
			       path);
	return err_set(e, ERR_BUSY,
		       "'%s' is locked by another program: try again", path);
}

int lock_take(int dir, const char *path, int *fd, struct err *e)
{
	const bool passed = is_passed(dir);
	int r = poll_lock(dir, lock_whole, !passed);

	*fd = -1;
	if (r < 0 && is_unsupported(errno)) {
		*fd = open_fallback(dir, path, e);
		if (*fd < 0)
			return -1;
		r = poll_lock(*fd, lock_whole, !passed);
	}
	if (r == 1)
		return 0;
	if (r < 0)
		err_sys(e, "cannot lock '%s'", path);
	else
		set_busy(path, passed, e);
	file_close(*fd);
	*fd = -1;
	return -1;
}

int lock_share(int dir, int file_dir, const char *name, const char *path,
	       int *fd, struct err *e)
{
	int r;

	*fd = -1;
	if (!compat_is_shared(dir))
		return 0;
	for (;;) {
		*fd = file_open(file_dir, name,
				O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0);
		if (*fd < 0)
			return 0;
		r = poll_lock(*fd, compat_lock_open_file, true);
		if (r == 1 && file_is_at(*fd, file_dir, name))
			return 0;
		close(*fd);
		*fd = -1;
		if (r == 0)
			return set_busy(path, false, e);
		if (r < 0)
			return 0;
	}
}

void lock_pass(int dir, int fd, bool pass)
{
	const char *passed = getenv(PASSED), *at;
	struct buf name = {0}, all = {0};

	fcntl(fd >= 0 ? fd : dir, F_SETFD, pass ? 0 : FD_CLOEXEC);
	passed = passed ? passed : "";
	add_name(&name, dir);
	at = pass || !name.len ? NULL : strstr(passed, name.p);
	buf_add(&all, passed, at ? (size_t)(at - passed) : strlen(passed));
	buf_adds(&all, pass ? buf_str(&name) : at ? at + name.len : "");
	if (all.len)
		setenv(PASSED, all.p, 1);
	else
		unsetenv(PASSED);
	buf_release(&name);
	buf_release(&all);
}

void lock_release(int dir, int fd)
{
	/* Closing it would not release a lock that was passed on. */
	flock(fd >= 0 ? fd : dir, LOCK_UN);
	file_close(fd);
}
