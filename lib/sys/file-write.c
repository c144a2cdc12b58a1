/* file-write.c: a durable write has five steps: create a temporary file, write,
 * fsync, rename, fsync of the directory. The rename never replaces a file; if
 * the system or the file system does not support that, link and unlink are
 * used; if there are no hard links, a check followed by a plain rename.
 *
 * A file is replaced by exchanging names. The temporary name then holds the old
 * content; if that is not the expected one, the names are exchanged back. If
 * exchanging is not supported, only the check before is made.
 *
 * Known limits: a failed fsync is never retried, since the kernel then counts
 * the pages as clean. If three writers replace one file within microseconds and
 * their lock does not reach all of them, the text of the second can be lost,
 * except for LOST.
 */
#include "sys/file-write.h"

#include "base/compat.h"
#include "sys/io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TEMP_NAME 32
#define TEMP_TRIES 8
#define TEMP_OLD 3600 /* in seconds; no write takes that long */
#define REPLACED_MAX ((size_t)16 * 1024 * 1024)

struct temp {
	int dir;
	char name[TEMP_NAME];
};

/* Return the real time, not CO_NOW: file time stamps come from the real
 * clock. */
static struct timespec real_time(void)
{
	struct timespec now = {0, 0};

	clock_gettime(CLOCK_REALTIME, &now);
	return now;
}

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

/* Give FD the mode of KEEP and, if permitted, its owner. */
static int copy_owner(int fd, const struct stat *keep)
{
	if (fchown(fd, keep->st_uid, keep->st_gid) < 0)
		errno = 0; /* not permitted */
	return fchmod(fd, keep->st_mode & 07777);
}

/* Create T with LEN bytes of P and sync it. It gets the owner and mode of KEEP,
 * unless that is NULL. Returns 0 or -1. */
static int write_temp(struct temp *t, const char *path, unsigned mode,
		      const struct stat *keep, const char *p, size_t len,
		      struct err *e)
{
	int fd = open_temp(t, mode);

	if (fd < 0)
		return err_sys(e, "cannot make '%s'", path);
	if ((keep && copy_owner(fd, keep) < 0) || io_write(fd, p, len) < 0 ||
	    file_sync(fd) < 0) {
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

/* Return true if ERROR means that the call is not supported here. */
static bool is_unsupported(int error)
{
	return error == EINVAL || error == ENOSYS || error == EPERM ||
	       error == EOPNOTSUPP || error == ENOTSUP;
}

/* Rename in two steps, check and rename, where an exclusive rename is not
 * supported. Returns 0, or -1 with errno set. */
static int check_and_rename(int dir, const char *name, int to_dir,
			    const char *to_name)
{
	struct stat st;

	if (fstatat(to_dir, to_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		errno = EEXIST;
	else if (errno == ENOENT)
		return renameat(dir, name, to_dir, to_name);
	return -1;
}

/* Rename without replacing a file. Returns 0, or -1 with errno set. */
static int rename_new(int dir, const char *name, int to_dir,
		      const char *to_name)
{
	if (compat_rename_new(dir, name, to_dir, to_name) == 0)
		return 0;
	if (errno == EPERM || !is_unsupported(errno))
		return -1;
	if (linkat(dir, name, to_dir, to_name, 0) == 0)
		return unlinkat(dir, name, 0);
	return is_unsupported(errno) || errno == EMLINK
		       ? check_and_rename(dir, name, to_dir, to_name)
		       : -1;
}

/* Create a file with the temporary file in TEMP, without a sync of DIR. Returns as
 * file_create_from(); -1 with errno EXDEV means that TEMP is on another file
 * system. */
static int create_via(int temp, int dir, const char *name, const char *path,
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
	return 1;
}

int file_create_unsynced(int temp, int dir, const char *name, const char *path,
			 unsigned mode, const char *p, size_t len,
			 struct err *e)
{
	int r;

	errno = 0;
	r = create_via(temp, dir, name, path, mode, p, len, e);
	return r < 0 && errno == EXDEV && temp != dir
		       ? create_via(dir, dir, name, path, mode, p, len, e)
		       : r;
}

int file_create_from(int temp, int dir, const char *name, const char *path,
		     unsigned mode, const char *p, size_t len, struct err *e)
{
	const int r =
		file_create_unsynced(temp, dir, name, path, mode, p, len, e);

	if (r != 1 || file_sync_dir(dir, path, e) == 0)
		return r;
	/* Undo what may not be on the disk. */
	unlinkat(dir, name, 0);
	return -1;
}

int file_create(int dir, const char *name, const char *path, unsigned mode,
		const char *p, size_t len, struct err *e)
{
	return file_create_from(dir, dir, name, path, mode, p, len, e);
}

/* Return 1 if the file NAME in DIR contains TEXT, 0 if not or if it is absent,
 * or -1. IS gets the content. */
static int has_text(int dir, const char *name, const char *path,
		    const struct buf *text, struct buf *is, struct err *e)
{
	const int r = file_read(dir, name, path, REPLACED_MAX, is, e);

	return r == 1 ? buf_equal(is, text) : r;
}

/* Set E from errno: DOING something to PATH failed. Returns -1. */
static int set_failure(const char *doing, const char *path, struct err *e)
{
	if (errno == ENOENT)
		return err_set(e, ERR_BUSY,
			       "cannot %s '%s': another program took it or its "
			       "directory away; try again",
			       doing, path);
	return err_sys(e, "cannot %s '%s'", doing, path);
}

static int set_changed(const char *path, struct err *e)
{
	return err_set(e, ERR_BUSY, "'%s' has changed meanwhile", path);
}

static int exchange_names(const struct temp *t, int dir, const char *name)
{
	return compat_exchange(t->dir, t->name, dir, name);
}

/* Exchange names again, after T replaced a text that was not the expected one, or cannot
 * be read. The temporary name must then hold OURS; if it does not, another writer has
 * replaced ours meanwhile, and LOST gets that writer's text. Return 0 or -1. */
static int undo_exchange(const struct temp *t, int dir, const char *name,
			 const char *path, const struct buf *ours,
			 struct buf *lost, struct err *e)
{
	struct buf is = {0};

	if (exchange_names(t, dir, name) < 0)
		return err_sys(e, "cannot put '%s' back: it is '%s' now", path,
			       t->name);
	if (lost && has_text(t->dir, t->name, path, ours, &is, NULL) == 0)
		buf_add(lost, buf_str(&is), is.len);
	buf_release(&is);
	drop_temp(t);
	file_sync_dir(dir, path, NULL);
	return 0;
}

/* Put T in the place of NAME if that contains WAS; NULL: in any case. Returns
 * as file_replace_from(); 1 means that a plain rename was used. */
static int install_temp(const struct temp *t, int dir, const char *name,
			const char *path, const struct buf *was,
			const struct buf *ours, struct buf *lost, struct err *e)
{
	struct buf is = {0};
	struct err why;
	int r = was ? has_text(dir, name, path, was, &is, e) : 1;

	if (r == 0)
		r = set_changed(path, e);
	if (r < 0)
		goto out;
	if (was && exchange_names(t, dir, name) == 0) {
		r = has_text(t->dir, t->name, path, was, &is, &why);
		buf_release(&is);
		if (r == 1) {
			unlinkat(t->dir, t->name, 0);
			return 0;
		}
		if (undo_exchange(t, dir, name, path, ours, lost, e) < 0)
			return -1;
		return r < 0 ? err_take(e, &why) : set_changed(path, e);
	}
	if (was && !is_unsupported(errno)) {
		r = set_failure("replace", path, e);
		goto out;
	}
	r = renameat(t->dir, t->name, dir, name) < 0
		    ? set_failure("replace", path, e)
		    : 1;
out:
	if (r < 0)
		drop_temp(t);
	buf_release(&is);
	return r;
}

/* Replace a file with the temporary file in TEMP, without a sync of DIR. Returns
 * as file_replace_from(); -1 with errno EXDEV means that TEMP is on another file
 * system. */
static int replace_via(int temp, int dir, const char *name, const char *path,
		       const struct buf *was, const char *p, size_t len,
		       struct buf *lost, struct err *e)
{
	struct temp t = {.dir = temp};
	struct buf ours = {0};
	struct stat st;
	int r;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return set_failure("replace", path, e);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_DATA, "refusing '%s': it is %s", path,
			       S_ISLNK(st.st_mode) ? "a link"
						   : "not a regular file");
	if (write_temp(&t, path, st.st_mode & 07777, &st, p, len, e) < 0)
		return -1;
	buf_add(&ours, p, len);
	r = install_temp(&t, dir, name, path, was, &ours, lost, e);
	buf_release(&ours);
	return r;
}

int file_replace_unsynced(int temp, int dir, const char *name, const char *path,
			  const struct buf *was, const char *p, size_t len,
			  struct buf *lost, struct err *e)
{
	int r;

	errno = 0;
	r = replace_via(temp, dir, name, path, was, p, len, lost, e);
	return r < 0 && errno == EXDEV && temp != dir
		       ? replace_via(dir, dir, name, path, was, p, len, lost, e)
		       : r;
}

int file_replace_from(int temp, int dir, const char *name, const char *path,
		      const struct buf *was, const char *p, size_t len,
		      struct buf *lost, struct err *e)
{
	const int r = file_replace_unsynced(temp, dir, name, path, was, p, len,
					    lost, e);

	return r >= 0 && file_sync_dir(dir, path, e) < 0 ? -1 : r;
}

int file_replace(int dir, const char *name, const char *path, const char *p,
		 size_t len, struct err *e)
{
	return file_replace_from(dir, dir, name, path, NULL, p, len, NULL, e) <
			       0
		       ? -1
		       : 0;
}

int file_rename(int dir, const char *name, int to_dir, const char *to_name,
		const char *path, struct err *e)
{
	if (rename_new(dir, name, to_dir, to_name) == 0)
		return 1;
	return errno == EEXIST ? 0 : set_failure("move", path, e);
}

int file_put_away(int dir, const char *name, int to_dir, const char *to_name,
		  const char *path, struct err *e)
{
	if (compat_rename_new(dir, name, to_dir, to_name) == 0 ||
	    (is_unsupported(errno) &&
	     check_and_rename(dir, name, to_dir, to_name) == 0))
		return 1;
	return errno == EEXIST ? 0 : set_failure("move", path, e);
}

static int remove_if_old(void *ctx, const char *name, enum file_kind kind)
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
	file_walk(dir, "", remove_if_old, &dir, NULL);
}

int file_remove(int dir, const char *name, const char *path, struct err *e)
{
	if (unlinkat(dir, name, 0) < 0)
		return err_sys(e, "cannot remove '%s'", path);
	return file_sync_dir(dir, path, e);
}

int file_remove_tree(int above, const char *name, int levels)
{
	struct file_list in;
	struct arena a = {0};
	int dir;

	if (levels < 1 || file_open_dir(above, name, name, &dir, NULL) != 1)
		return -1;
	file_list(dir, name, &a, &in, NULL);
	for (size_t i = 0; i < in.n; i++) {
		if (in.items[i].kind == FILE_FOLDER)
			file_remove_tree(dir, in.items[i].name, levels - 1);
		else
			unlinkat(dir, in.items[i].name, 0);
	}
	arena_release(&a);
	close(dir);
	return unlinkat(above, name, AT_REMOVEDIR);
}
