/* folder-new.c: rename() of a directory succeeds only if the target is absent
 * or an empty directory, on every system. So no check before it is needed.
 *
 * A sync of a small file takes about a millisecond. So with many files, the
 * last ones and all directories are synced together, by one call for the whole
 * file system. It takes longer if other programs have written much to it.
 *
 * Known limit: if the last sync fails, an empty directory that existed before
 * is gone.
 */
#include "sys/folder.h"

#include "base/compat.h"
#include "sys/file-write.h"
#include "sys/io.h"
#include "sys/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TEMP_OLD 3600 /* in seconds, since its last change */
#define LEVELS 40     /* of a directory that is removed, itself included */
#define SYNC_EACH 64 /* files that are synced one by one; more are at the end */

static bool is_temp_name(const char *name)
{
	const size_t begin = strlen(FILE_TEMP "-");

	return !strncmp(name, FILE_TEMP "-", begin) &&
	       strlen(name + begin) == 16 &&
	       strspn(name + begin, "0123456789abcdef") == 16;
}

/* Remove a directory that a killed process left long ago, if it belongs to the
 * user. */
static int remove_if_old(void *ctx, const char *name, enum file_kind kind)
{
	const int above = *(const int *)ctx;
	struct timespec now = {0, 0};
	struct stat st;

	clock_gettime(CLOCK_REALTIME, &now);
	if (kind == FILE_FOLDER && is_temp_name(name) &&
	    fstatat(above, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    st.st_uid == geteuid() && now.tv_sec - st.st_mtime > TEMP_OLD)
		file_remove_tree(above, name, LEVELS);
	return 0;
}

static int any_entry(void *ctx, const char *name, enum file_kind kind)
{
	(void)ctx;
	(void)name;
	(void)kind;
	return 1;
}

/* Examine the target of F. Returns 1 with ST if it is a directory, 0 if it is
 * absent, or -1. */
static int stat_target(const struct folder_new *f, struct stat *st,
		       struct err *e)
{
	if (fstatat(f->above, f->name, st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
			       ? 0
			       : err_sys(e, "cannot look at '%s'", f->path);
	return S_ISDIR(st->st_mode)
		       ? 1
		       : err_set(e, ERR_SYSTEM, "'%s' is not a directory",
				 f->path);
}

/* Return 1 if the target WAS may be replaced: it is empty, not the working
 * directory and not a mount point. Else returns 0, or -1 on error. */
static int is_replaceable(const struct folder_new *f, const struct stat *was,
			  struct err *e)
{
	struct stat above, here;
	int dir, r;

	if (fstat(f->above, &above) < 0 || above.st_dev != was->st_dev)
		return 0;
	if (stat(".", &here) == 0 && here.st_dev == was->st_dev &&
	    here.st_ino == was->st_ino)
		return 0;
	r = file_open_dir(f->above, f->name, f->path, &dir, e);
	if (r != 1)
		return r == 0 ? 1 : -1;
	r = file_walk(dir, f->path, any_entry, NULL, e);
	close(dir);
	return r < 0 ? -1 : !r;
}

/* Set path, name and parent of F. */
static int resolve_target(struct folder_new *f, const char *path, struct err *e)
{
	char *copy = mem_strdup(path), *there = realpath(path, NULL);
	struct buf whole = {0};
	int r = -1;

	if (there) {
		buf_adds(&whole, there);
	} else {
		const char *above = dirname(copy);
		char *real = realpath(above, NULL);
		char *last = mem_strdup(path);

		if (real)
			buf_addf(&whole, "%s%s%s", real,
				 strcmp(real, "/") ? "/" : "", basename(last));
		free(real);
		free(last);
	}
	free(there);
	free(copy);
	if (!whole.len) {
		err_sys(e, "cannot make '%s'", path);
		goto out;
	}
	f->path = buf_take(&whole);
	f->name = strrchr(f->path, '/') + 1;
	copy = mem_strdup(f->path);
	f->above =
		file_open(AT_FDCWD, dirname(copy), O_RDONLY | O_DIRECTORY, 0);
	free(copy);
	r = f->above < 0 ? err_sys(e, "cannot make '%s'", path) : 0;
out:
	buf_release(&whole);
	return r;
}

static int make_temp(struct folder_new *f, const struct stat *was,
		     struct err *e)
{
	struct buf temp = {0};

	buf_addf(&temp, FILE_TEMP "-%016llx",
		 (unsigned long long)compat_random());
	f->temp = buf_take(&temp);
	/* Messages may go to a pipe whose reader has ended. */
	signals_hold(SIGPIPE, &f->before);
	f->held = true;
	if (file_mkdir(f->above, f->temp, 0777) < 0) {
		free(f->temp);
		f->temp = NULL;
		return err_sys(e, "cannot make '%s'", f->path);
	}
	f->fd = file_open(f->above, f->temp,
			  O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	if (f->fd < 0 || (was && fchmod(f->fd, was->st_mode & 07777) < 0))
		return err_sys(e, "cannot make '%s'", f->path);
	f->batch = compat_can_sync_all(f->fd);
	return 0;
}

int folder_new_begin(struct folder_new *f, const char *path, struct err *e)
{
	struct stat was;
	int there, r = -1;

	*f = (struct folder_new){.above = -1, .fd = -1};
	if (resolve_target(f, path, e) < 0)
		goto out;
	there = *f->name ? stat_target(f, &was, e) : 0;
	if (there < 0)
		goto out;
	r = there ? is_replaceable(f, &was, e) : *f->name != '\0';
	if (r != 1)
		goto out;
	file_walk(f->above, f->path, remove_if_old, &f->above, NULL);
	r = make_temp(f, there ? &was : NULL, e) < 0 ? -1 : 1;
out:
	if (r != 1)
		folder_new_drop(f);
	return r;
}

/* Make the directories before NAME in F that do not exist yet. */
static int make_subfolders(struct folder_new *f, const char *name,
			   struct err *e)
{
	for (const char *slash = strchr(name, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		struct buf folder = {0};

		buf_add(&folder, name, (size_t)(slash - name));
		if (file_mkdir(f->fd, folder.p, 0777) == 0) {
			strings_add(&f->folders, buf_take(&folder));
		} else if (errno != EEXIST) {
			err_sys(e, "cannot make '%s/%s'", f->path, folder.p);
			buf_release(&folder);
			return -1;
		}
		buf_release(&folder);
	}
	return 0;
}

/* Create the file NAME in F. Return its descriptor, or -1. */
static int create_file(struct folder_new *f, const char *name, struct err *e)
{
	int fd;

	if (make_subfolders(f, name, e) < 0)
		return -1;
	fd = file_open(f->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
		       0666);
	if (fd < 0 && errno == EEXIST)
		return err_set(e, ERR_DATA, "two files would be '%s/%s'",
			       f->path, name);
	if (fd < 0)
		return err_sys(e, "cannot make '%s/%s'", f->path, name);
	strings_add(&f->files, mem_strdup(name));
	return fd;
}

/* Close the file FD, which is called NAME in F, and sync it unless that is done
 * for all at the end. R is the result of the writes, -1 with errno set. Return
 * 0 or -1. */
static int close_file(const struct folder_new *f, const char *name, int fd,
		      int r, struct err *e)
{
	const bool later = f->batch && f->files.n > SYNC_EACH;

	if (r < 0 || (!later && file_sync(fd) < 0))
		r = err_sys(e, "cannot write '%s/%s'", f->path, name);
	if (close(fd) < 0 && errno != EINTR && r >= 0)
		r = err_sys(e, "cannot write '%s/%s'", f->path, name);
	return r < 0 ? -1 : 0;
}

int folder_new_put(struct folder_new *f, const char *name, const char *p,
		   size_t len, struct err *e)
{
	int fd;

	if (signals_pending()) {
		folder_new_drop(f);
		return err_set(e, ERR_SYSTEM, "interrupted");
	}
	fd = create_file(f, name, e);
	return fd < 0 ? -1 : close_file(f, name, fd, io_write(fd, p, len), e);
}

static int sync_all(const struct folder_new *f, struct err *e)
{
	if (f->batch && f->files.n > SYNC_EACH)
		return compat_sync_all(f->fd) < 0
			       ? err_sys(e, "cannot write '%s'", f->path)
			       : 0;
	for (size_t i = 0; i < f->folders.n; i++) {
		int fd, r;

		r = file_open_dir(f->fd, f->folders.items[i], f->path, &fd, e);
		if (r != 1)
			return r < 0 ? -1
				     : err_set(e, ERR_SYSTEM, "'%s' vanished",
					       f->path);
		r = file_sync_dir(fd, f->path, e);
		close(fd);
		if (r < 0)
			return -1;
	}
	return file_sync_dir(f->fd, f->path, e);
}

static void free_fields(struct folder_new *f)
{
	const struct folder_new was = *f;

	for (size_t i = 0; i < f->files.n; i++)
		free((void *)(uintptr_t)f->files.items[i]);
	for (size_t i = 0; i < f->folders.n; i++)
		free((void *)(uintptr_t)f->folders.items[i]);
	free(f->files.items);
	free(f->folders.items);
	file_close(f->fd);
	file_close(f->above);
	free(f->temp);
	free(f->path);
	*f = (struct folder_new){.above = -1, .fd = -1};
	if (was.held)
		sigprocmask(SIG_SETMASK, &was.before, NULL);
}

int folder_new_finish(struct folder_new *f, struct err *e)
{
	if (sync_all(f, e) < 0)
		goto out;
	if (renameat(f->above, f->temp, f->above, f->name) < 0) {
		if (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR)
			err_set(e, ERR_SYSTEM, "'%s' already exists", f->path);
		else
			err_sys(e, "cannot make '%s'", f->path);
		goto out;
	}
	if (file_sync_dir(f->above, f->path, e) == 0) {
		free_fields(f);
		return 0;
	}
	/* Undo what may not be on the disk. */
	if (renameat(f->above, f->name, f->above, f->temp) < 0)
		err_set(e, ERR_SYSTEM,
			"'%s' is made, but may be lost if power fails: the "
			"disk did not take it",
			f->path);
out:
	folder_new_drop(f);
	return -1;
}

void folder_new_drop(struct folder_new *f)
{
	if (f->temp && f->fd >= 0) {
		for (size_t i = 0; i < f->files.n; i++)
			unlinkat(f->fd, f->files.items[i], 0);
		for (size_t i = f->folders.n; i-- > 0;)
			unlinkat(f->fd, f->folders.items[i], AT_REMOVEDIR);
	}
	if (f->temp)
		unlinkat(f->above, f->temp, AT_REMOVEDIR);
	if (f->path)
		free_fields(f);
}
