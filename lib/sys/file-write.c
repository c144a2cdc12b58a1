/* file-write.c: a durable write is five steps: temporary, write, fsync, take
 * the name, fsync of the folder.  A name is taken by a rename that goes over
 * nothing, or by link and unlink where the system or the file system has no
 * such call: neither goes over another file.  Where there are no links either,
 * the name is looked for, and then taken.
 *
 * A file is replaced by exchanging names: what comes out is what was replaced,
 * and goes back where that was another's.  Where there is no such call, the
 * look before is all.
 *
 * Known limits: a failing fsync is never tried again, since the kernel then
 * counts the pages as clean.  Of three that replace a file within microseconds,
 * without a lock that reaches all, the second may be lost but for LOST.
 */
#include "sys/file-write.h"

#include "base/compat.h"
#include "sys/inherit.h"
#include "sys/io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TEMP_NAME 32
#define TEMP_TRIES 8
#define TEMP_OLD 3600 /* seconds: no writer takes that long */
#define REPLACED_MAX ((size_t)16 * 1024 * 1024)

/* A temporary file on its way. */
struct temp {
	int dir;
	char name[TEMP_NAME];
};

/* The clock is the real one, never CO_NOW: the system stamps files by it. */
static struct timespec real_time(void)
{
	struct timespec now = {0, 0};

	clock_gettime(CLOCK_REALTIME, &now);
	return now;
}

/* Give T a name that nobody else has. */
static void name_temp(struct temp *t)
{
	uint64_t n;

	n = compat_random();
	snprintf(t->name, sizeof(t->name), FILE_TEMP "-%016llx",
		 (unsigned long long)n);
}

static int open_temp(struct temp *t, unsigned mode)
{
	int fd, tries = 0;

	do {
		name_temp(t);
		fd = file_open(t->dir, t->name,
			       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
	} while (fd < 0 && errno == EEXIST && ++tries < TEMP_TRIES);
	return fd;
}

static void drop_temp(const struct temp *t)
{
	const int error = errno;

	unlinkat(t->dir, t->name, 0);
	errno = error;
}

/* Give FD the owner, as far as we may, and the mode of what it replaces. */
static int keep_owner(int fd, const struct stat *keep)
{
	if (fchown(fd, keep->st_uid, keep->st_gid) < 0)
		errno = 0; /* it is ours then */
	return fchmod(fd, keep->st_mode & 07777);
}

/* Fill T, down to the disk.  KEEP, unless NULL, has the owner and the mode that
 * it gets whatever the umask says. */
static int write_temp(struct temp *t, const char *path, unsigned mode,
		      const struct stat *keep, const char *p, size_t len,
		      struct err *e)
{
	int fd = open_temp(t, mode);

	if (fd < 0)
		return err_sys(e, "cannot make '%s'", path);
	if ((keep ? keep_owner(fd, keep) : inherit_owner(t->dir, fd)) < 0 ||
	    io_write(fd, p, len) < 0 || file_sync(fd) < 0) {
		err_sys(e, "cannot write '%s'", path);
		close(fd);
		drop_temp(t);
		return -1;
	}
	if (close(fd) < 0 && errno != EINTR) {
		err_sys(e, "cannot write '%s'", path);
		drop_temp(t);
		return -1;
	}
	return 0;
}

/* True if ERROR says that the system or the file system has no such call. */
static bool is_unknown(int error)
{
	return error == EINVAL || error == ENOSYS || error == EPERM ||
	       error == EOPNOTSUPP || error == ENOTSUP;
}

/* Rename where nobody can look and rename in one: -1 with errno set. */
static int look_and_rename(int dir, const char *name, int to_dir,
			   const char *to_name)
{
	struct stat st;

	if (fstatat(to_dir, to_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		errno = EEXIST;
	else if (errno == ENOENT)
		return renameat(dir, name, to_dir, to_name);
	return -1;
}

/* Rename without ever going over another file; -1 with errno set. */
static int rename_new(int dir, const char *name, int to_dir,
		      const char *to_name)
{
	if (compat_rename_new(dir, name, to_dir, to_name) == 0)
		return 0;
	if (errno == EPERM || !is_unknown(errno))
		return -1;
	if (linkat(dir, name, to_dir, to_name, 0) == 0)
		return unlinkat(dir, name, 0);
	return is_unknown(errno) || errno == EMLINK
		       ? look_and_rename(dir, name, to_dir, to_name)
		       : -1;
}

/* file_create_from() once: -1 with errno set to EXDEV where TEMP is on another
 * file system. */
static int create(int temp, int dir, const char *name, const char *path,
		  unsigned mode, const char *p, size_t len, struct err *e)
{
	struct temp t = {.dir = temp};

	if (write_temp(&t, path, mode, NULL, p, len, e) < 0)
		return -1;
	if (rename_new(temp, t.name, dir, name) < 0) {
		drop_temp(&t);
		return errno == EEXIST ? 0
				       : err_sys(e, "cannot make '%s'", path);
	}
	if (file_sync_dir(dir, path, e) == 0)
		return 1;
	/* What was not kept safe is not half there either. */
	unlinkat(dir, name, 0);
	return -1;
}

int file_create_from(int temp, int dir, const char *name, const char *path,
		     unsigned mode, const char *p, size_t len, struct err *e)
{
	int r;

	errno = 0;
	r = create(temp, dir, name, path, mode, p, len, e);
	return r < 0 && errno == EXDEV && temp != dir
		       ? create(dir, dir, name, path, mode, p, len, e)
		       : r;
}

int file_create(int dir, const char *name, const char *path, unsigned mode,
		const char *p, size_t len, struct err *e)
{
	return create(dir, dir, name, path, mode, p, len, e);
}

/* 1 if the file NAME in DIR is TEXT, 0 if it is another or none, -1; IS gets
 * it. */
static int is_text(int dir, const char *name, const char *path,
		   const struct buf *text, struct buf *is, struct err *e)
{
	const int r = file_read(dir, name, path, REPLACED_MAX, is, e);

	return r == 1 ? is->len == text->len &&
				!memcmp(buf_str(is), buf_str(text), is->len)
		      : r;
}

/* By errno, DOING something to what was there could not be done. */
static int refused(const char *doing, const char *path, struct err *e)
{
	if (errno == ENOENT)
		return err_set(e, ERR_BUSY,
			       "cannot %s '%s': another program took it or its "
			       "folder away; try again",
			       doing, path);
	return err_sys(e, "cannot %s '%s'", doing, path);
}

static int changed(const char *path, struct err *e)
{
	return err_set(e, ERR_BUSY, "'%s' has changed meanwhile", path);
}

static int exchange(const struct temp *t, int dir, const char *name)
{
	return compat_exchange(t->dir, t->name, dir, name);
}

/* T stands in the place of what turned out to be another's: put that back.  What
 * then comes out is OURS, or was made by somebody who saw ours. */
static int put_back(const struct temp *t, int dir, const char *name,
		    const char *path, const struct buf *ours, struct buf *lost,
		    struct err *e)
{
	struct buf is = {0};

	if (exchange(t, dir, name) < 0) {
		err_sys(e, "cannot put '%s' back: it is '%s' now", path,
			t->name);
		return -1;
	}
	if (lost && is_text(t->dir, t->name, path, ours, &is, NULL) == 0)
		buf_add(lost, buf_str(&is), is.len);
	buf_release(&is);
	drop_temp(t);
	file_sync_dir(dir, path, NULL);
	return changed(path, e);
}

/* Have T take the place of NAME, which is WAS (NULL: whatever it is): as
 * file_replace_from(), but 1 is for a plain rename. */
static int take_place(const struct temp *t, int dir, const char *name,
		      const char *path, const struct buf *was,
		      const struct buf *ours, struct buf *lost, struct err *e)
{
	struct buf is = {0};
	int r = was ? is_text(dir, name, path, was, &is, e) : 1;

	if (r == 0)
		r = changed(path, e);
	if (r < 0)
		goto out;
	if (was && exchange(t, dir, name) == 0) {
		r = is_text(t->dir, t->name, path, was, &is, NULL);
		if (r == 1) {
			unlinkat(t->dir, t->name, 0);
			r = 0;
		} else {
			buf_release(&is);
			return put_back(t, dir, name, path, ours, lost, e);
		}
		goto out;
	}
	if (was && !is_unknown(errno)) {
		r = refused("replace", path, e);
		goto out;
	}
	r = renameat(t->dir, t->name, dir, name) < 0
		    ? refused("replace", path, e)
		    : 1;
out:
	if (r < 0)
		drop_temp(t);
	buf_release(&is);
	return r;
}

/* file_replace_from() once, as create(). */
static int replace(int temp, int dir, const char *name, const char *path,
		   const struct buf *was, const char *p, size_t len,
		   struct buf *lost, struct err *e)
{
	struct temp t = {.dir = temp};
	struct buf ours = {0};
	struct stat st;
	int r;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return refused("replace", path, e);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_DATA, "refusing '%s': it is %s", path,
			       S_ISLNK(st.st_mode) ? "a link"
						   : "not a regular file");
	if (write_temp(&t, path, st.st_mode & 07777, &st, p, len, e) < 0)
		return -1;
	buf_add(&ours, p, len);
	r = take_place(&t, dir, name, path, was, &ours, lost, e);
	buf_release(&ours);
	return r >= 0 && file_sync_dir(dir, path, e) < 0 ? -1 : r;
}

int file_replace_from(int temp, int dir, const char *name, const char *path,
		      const struct buf *was, const char *p, size_t len,
		      struct buf *lost, struct err *e)
{
	int r;

	errno = 0;
	r = replace(temp, dir, name, path, was, p, len, lost, e);
	return r < 0 && errno == EXDEV && temp != dir
		       ? replace(dir, dir, name, path, was, p, len, lost, e)
		       : r;
}

int file_replace(int dir, const char *name, const char *path, const char *p,
		 size_t len, struct err *e)
{
	return replace(dir, dir, name, path, NULL, p, len, NULL, e) < 0 ? -1
									: 0;
}

int file_rename(int dir, const char *name, int to_dir, const char *to_name,
		const char *path, struct err *e)
{
	if (rename_new(dir, name, to_dir, to_name) == 0)
		return 1;
	return errno == EEXIST ? 0 : refused("move", path, e);
}

int file_put_away(int dir, const char *name, int to_dir, const char *to_name,
		  const char *path, struct err *e)
{
	if (compat_rename_new(dir, name, to_dir, to_name) == 0 ||
	    (is_unknown(errno) &&
	     look_and_rename(dir, name, to_dir, to_name) == 0))
		return 1;
	return errno == EEXIST ? 0 : refused("move", path, e);
}

static int tidy_one(void *ctx, const char *name, enum file_kind kind)
{
	const int dir = *(const int *)ctx;
	struct stat st;

	if (kind != FILE_FOLDER &&
	    !strncmp(name, FILE_TEMP, strlen(FILE_TEMP)) &&
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    real_time().tv_sec - st.st_mtime > TEMP_OLD)
		unlinkat(dir, name, 0);
	return 0;
}

void file_tidy(int dir)
{
	file_walk(dir, "", tidy_one, &dir, NULL);
}

int file_remove(int dir, const char *name, const char *path, struct err *e)
{
	if (unlinkat(dir, name, 0) < 0)
		return err_sys(e, "cannot remove '%s'", path);
	return file_sync_dir(dir, path, e);
}
