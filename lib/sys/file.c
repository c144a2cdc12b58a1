/* file.c: each name is opened once, without following a link. The file is then
 * checked through its descriptor, so it cannot be exchanged between check and
 * use.
 *
 * Known limit: if a file system cannot sync a directory (EINVAL), that counts
 * as success.
 */
#include "sys/file.h"

#include "sys/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_NOATIME
#define O_NOATIME 0 /* Linux only */
#endif

#define FIRST_READ ((size_t)64 * 1024)
#define UNKNOWN SIZE_MAX /* size of a pipe and the like */

static int retry_openat(int dir, const char *name, int flags, unsigned mode)
{
	int fd;

	do
		fd = openat(dir, name, flags | O_CLOEXEC, (mode_t)mode);
	while (fd < 0 && errno == EINTR);
	return fd;
}

/* Return true and fill *ST if this process is root and DIR belongs to another
 * user. */
static bool is_owned_by_user(int dir, struct stat *st)
{
	return geteuid() == 0 && fstat(dir, st) == 0 && st->st_uid != 0;
}

/* Set the owner of the file FD, just created in the directory DIR: if root created it and
 * DIR belongs to another user, it gets the owner and group of DIR. If that fails, the
 * file stays root's; that is not an error. */
static void inherit_owner(int dir, int fd)
{
	struct stat st;

	if (is_owned_by_user(dir, &st) && fchown(fd, st.st_uid, st.st_gid) < 0)
		errno = 0;
}

/* Create NAME for root, with the owner of DIR. A file that exists keeps its owner: it
 * may be a hard link to any file. */
static int create_inherited(int dir, const char *name, int flags, unsigned mode)
{
	int fd = -1;

	errno = ENOENT;
	do {
		if (!(flags & O_EXCL))
			fd = retry_openat(dir, name, flags & ~O_CREAT, 0);
		if (fd >= 0 || errno != ENOENT)
			return fd;
		fd = retry_openat(dir, name, flags | O_EXCL, mode);
	} while (fd < 0 && errno == EEXIST && !(flags & O_EXCL));
	if (fd >= 0)
		inherit_owner(dir, fd);
	return fd;
}

int file_open(int dir, const char *name, int flags, unsigned mode)
{
	return flags & O_CREAT && dir != AT_FDCWD && geteuid() == 0
		       ? create_inherited(dir, name, flags, mode)
		       : retry_openat(dir, name, flags, mode);
}

static bool is_link(int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISLNK(st.st_mode);
}

/* Set E to the reason why NAME is not a WANTED ("directory"). Returns -1. */
static int refuse_kind(int dir, const char *name, const char *path,
		       const char *wanted, struct err *e)
{
	if (is_link(dir, name))
		return err_set(e, ERR_DATA, "refusing '%s': it is a link",
			       path);
	return err_set(e, ERR_DATA, "refusing '%s': it is not a %s", path,
		       wanted);
}

int file_mkdir(int dir, const char *name, unsigned mode)
{
	struct stat st;
	int fd;

	if (mkdirat(dir, name, (mode_t)mode) < 0)
		return -1;
	if (!is_owned_by_user(dir, &st))
		return 0;
	/* By its descriptor: the user may replace it by a hard link to a file. */
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fchown(fd, st.st_uid, st.st_gid) < 0)
		errno = 0;
	file_close(fd);
	return 0;
}

int file_open_dir(int dir, const char *name, const char *path, int *fd,
		  struct err *e)
{
	*fd = file_open(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	if (*fd >= 0)
		return 1;
	if (errno == ENOENT)
		return 0;
	if (errno == ENOTDIR || errno == ELOOP)
		return refuse_kind(dir, name, path, "directory", e);
	return err_sys(e, "cannot open '%s'", path);
}

int file_make_dir(int dir, const char *name, const char *path, unsigned mode,
		  int *fd, bool *made, struct err *e)
{
	int r = file_open_dir(dir, name, path, fd, e);

	if (made)
		*made = false;
	if (r)
		return r < 0 ? -1 : 0;
	r = file_mkdir(dir, name, mode);
	if (r < 0 && errno != EEXIST)
		return err_sys(e, "cannot make '%s'", path);
	if (made)
		*made = r == 0;
	/* Sync even if another process made it, which may crash before it
	 * syncs. */
	if (file_sync_dir(dir, path, e) < 0)
		return -1;
	r = file_open_dir(dir, name, path, fd, e);
	if (r == 0)
		return err_set(e, ERR_SYSTEM, "'%s' vanished", path);
	return r < 0 ? -1 : 0;
}

int file_open_below(int dir, const char *above, const char *below,
		    unsigned mode, int *fd, struct err *e)
{
	struct buf path = {0}, name = {0};
	int at = dir, r = 1;

	buf_adds(&path, above);
	for (const char *p = below; r == 1 && *p; p += *p == '/') {
		const size_t len = strcspn(p, "/");

		buf_cut(&name, 0);
		buf_add(&name, p, len);
		buf_addf(&path, "/%s", name.p);
		r = mode ? file_make_dir(at, name.p, path.p, mode, fd, NULL, e)
			 : file_open_dir(at, name.p, path.p, fd, e);
		if (mode)
			r = r < 0 ? -1 : 1;
		if (at != dir)
			close(at);
		at = *fd;
		p += len;
	}
	buf_release(&path);
	buf_release(&name);
	return r;
}

int file_make_path(const char *path, unsigned mode, int *fd, struct err *e)
{
	char *prefix = mem_strdup(path);
	int above, r = -1;

	*fd = -1;
	above = file_open(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY, 0);
	for (char *end = prefix; above >= 0 && *end;) {
		char *name = end + strspn(end, "/"), rest;
		int next;

		end = name + strcspn(name, "/");
		if (end == name)
			break;
		rest = *end;
		*end = '\0';
		next = file_open(above, name, O_RDONLY | O_DIRECTORY, 0);
		if (next < 0 && errno == ENOENT) {
			if (file_mkdir(above, name, mode) < 0 &&
			    errno != EEXIST) {
				err_sys(e, "cannot make '%s'", prefix);
				goto out;
			}
			if (file_sync_dir(above, prefix, e) < 0)
				goto out;
			next = file_open(above, name, O_RDONLY | O_DIRECTORY,
					 0);
		}
		if (next < 0) {
			err_sys(e, "cannot open '%s'", prefix);
			goto out;
		}
		close(above);
		above = next;
		*end = rest;
	}
	if (above < 0) {
		err_sys(e, "cannot open '%s'", path);
		goto out;
	}
	*fd = above;
	above = -1;
	r = 0;
out:
	file_close(above);
	free(prefix);
	return r;
}

/* Return the size in ST, or UNKNOWN if it is 0, as for files in /proc. */
static size_t known_size(const struct stat *st)
{
	return st->st_size > 0 && (uintmax_t)st->st_size < UNKNOWN
		       ? (size_t)st->st_size
		       : UNKNOWN;
}

/* Read FD to its end or to LIMIT bytes. SIZE is its size when it was opened, or
 * UNKNOWN; a short read that reaches SIZE is taken for the end. Returns 0, or
 * -1 with errno set. */
static int read_until(int fd, size_t size, size_t limit, struct buf *out)
{
	size_t want = size == UNKNOWN ? FIRST_READ - 1 : size + 1;

	if (want > limit)
		want = limit;
	buf_cut(out, 0);
	while (out->len < limit) {
		ssize_t got;
		size_t room;

		if (out->len == want)
			want = limit / 2 < want ? limit : want * 2;
		buf_grow(out, want - out->len);
		room = want - out->len;
		got = io_read(fd, out->p + out->len, room);
		if (got < 0)
			return -1;
		out->len += (size_t)got;
		if (got == 0 || ((size_t)got < room && out->len == size))
			break;
	}
	buf_grow(out, 0);
	out->p[out->len] = '\0';
	return 0;
}

int file_read_sized(int fd, const char *path, size_t size, size_t max,
		    struct buf *out, struct err *e)
{
	const bool input = !strcmp(path, "-");

	if (read_until(fd, size, max + 1, out) < 0)
		return err_sys(e, "cannot read '%s'", path);
	if (out->len <= max)
		return 0;
	return err_set(e, ERR_DATA, "%s%s%s is larger than %zu bytes",
		       input ? "" : "'", input ? "standard input" : path,
		       input ? "" : "'", max);
}

int file_read_fd(int fd, const char *path, size_t max, struct buf *out,
		 struct err *e)
{
	return file_read_sized(fd, path, UNKNOWN, max, out, e);
}

/* Open the regular file NAME for reading. SURE: a walk has reported that it is
 * regular, so it is not checked and *SIZE is UNKNOWN. Returns 1, 0 if absent,
 * -1. */
static int open_regular(int dir, const char *name, const char *path, bool sure,
			int *fd, size_t *size, struct err *e)
{
	struct stat st;

	*size = UNKNOWN;
	*fd = file_open(dir, name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	if (*fd < 0) {
		if (errno == ENOENT)
			return 0;
		if (errno == ELOOP || errno == ENXIO || errno == ENODEV)
			return refuse_kind(dir, name, path, "regular file", e);
		return err_sys(e, "cannot open '%s'", path);
	}
	if (sure)
		return 1;
	if (fstat(*fd, &st) < 0) {
		err_sys(e, "cannot look at '%s'", path);
		close(*fd);
		return -1;
	}
	if (S_ISREG(st.st_mode)) {
		*size = known_size(&st);
		return 1;
	}
	close(*fd);
	return refuse_kind(dir, name, path, "regular file", e);
}

/* Read the regular file NAME as file_read(). SURE: see open_regular(). */
static int read_regular(int dir, const char *name, const char *path, bool sure,
			size_t max, struct buf *out, struct err *e)
{
	size_t size;
	int fd, r = open_regular(dir, name, path, sure, &fd, &size, e);

	if (r != 1)
		return r;
	r = file_read_sized(fd, path, size, max, out, e);
	close(fd);
	return r < 0 ? -1 : 1;
}

int file_read(int dir, const char *name, const char *path, size_t max,
	      struct buf *out, struct err *e)
{
	return read_regular(dir, name, path, false, max, out, e);
}

int file_read_walked(int dir, const char *name, const char *path,
		     enum file_kind kind, size_t max, struct buf *out,
		     struct err *e)
{
	if (kind != FILE_REGULAR)
		return refuse_kind(dir, name, path, "regular file", e);
	return read_regular(dir, name, path, true, max, out, e);
}

int file_peek_walked(int dir, const char *name, const char *path,
		     enum file_kind kind, size_t len, struct buf *out,
		     struct err *e)
{
	ssize_t got;
	size_t size;
	int fd, r;

	if (kind != FILE_REGULAR)
		return refuse_kind(dir, name, path, "regular file", e);
	r = open_regular(dir, name, path, true, &fd, &size, e);
	if (r != 1)
		return r;
	buf_cut(out, 0);
	buf_grow(out, len);
	got = io_read(fd, out->p, len);
	if (got < 0)
		r = err_sys(e, "cannot read '%s'", path);
	else
		out->len = (size_t)got;
	out->p[out->len] = '\0';
	close(fd);
	return r;
}

/* Read PATH as file_read_path(), opened with the additional FLAGS of open(). */
static int read_path(const char *path, int flags, size_t max, struct buf *out,
		     struct err *e)
{
	struct stat st;
	int fd, r = -1;

	if (strcmp(path, "-") == 0)
		return file_read_fd(STDIN_FILENO, "-", max, out, e) < 0 ? -1
									: 1;
	fd = file_open(AT_FDCWD, path, O_RDONLY | O_NOCTTY | flags, 0);
	if (fd < 0)
		return err_sys(e, "cannot open '%s'", path);
	if (fstat(fd, &st) < 0) {
		err_sys(e, "cannot open '%s'", path);
		goto out;
	}
	if (!S_ISREG(st.st_mode) && fcntl(fd, F_SETFL, 0) < 0) {
		err_sys(e, "cannot open '%s'", path);
		goto out;
	}
	if (file_read_sized(fd, path,
			    S_ISREG(st.st_mode) ? known_size(&st) : UNKNOWN,
			    max, out, e) == 0)
		r = 1;
out:
	close(fd);
	return r;
}

int file_read_path(const char *path, size_t max, struct buf *out, struct err *e)
{
	return read_path(path, O_NONBLOCK, max, out, e);
}

int file_read_operand(const char *path, size_t max, struct buf *out,
		      struct err *e)
{
	return read_path(path, 0, max, out, e);
}

int file_follow(int dir, const char *name, const char *path, struct arena *a,
		int *real, const char **there, struct err *e)
{
	char *target = NULL, *slash;

	*there = name;
	*real = -1;
	if (!is_link(dir, name)) {
		*real = file_open(dir, ".", O_RDONLY | O_DIRECTORY, 0);
	} else if ((target = realpath(path, NULL))) {
		slash = strrchr(target, '/');
		*there = arena_strdup(a, slash + 1);
		slash[slash == target] = '\0';
		*real = file_open(AT_FDCWD, target, O_RDONLY | O_DIRECTORY, 0);
	} else if (errno == ENOENT) {
		return err_set(e, ERR_DATA, "'%s' is a link that leads nowhere",
			       path);
	}
	free(target);
	return *real < 0 ? err_sys(e, "cannot look at '%s'", path) : 0;
}

int file_read_followed(int dir, const char *name, const char *path, size_t max,
		       struct buf *out, struct err *e)
{
	struct arena a = {0};
	int real, r = file_read(dir, name, path, max, out, NULL);

	/* Try the common case first: the file exists and is no link. */
	if (r >= 0)
		return r;
	r = file_follow(dir, name, path, &a, &real, &name, e);
	if (!r) {
		r = file_read(real, name, path, max, out, e);
		close(real);
	}
	arena_release(&a);
	return r;
}

const char *file_absolute(const char *path, struct arena *a, struct err *e)
{
	char *real = strcmp(path, "-") != 0 ? realpath(path, NULL) : NULL;
	const char *kept = NULL;

	if (real || !strcmp(path, "-") || errno == ENOENT || errno == ENOTDIR)
		kept = arena_strdup(a, real ? real : path);
	else
		err_sys(e, "cannot look at '%s'", path);
	free(real);
	return kept;
}

const char *file_resolve(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/');
	const char *real = file_absolute(path, a, NULL);

	if (real && access(real, F_OK) == 0)
		return real;
	if (slash)
		real = file_resolve(
			slash == path
				? "/"
				: arena_copy(a, path, (size_t)(slash - path)),
			a);
	else
		real = file_absolute(".", a, NULL);
	return arena_printf(a, "%s/%s", real ? real : "",
			    slash ? slash + 1 : path);
}

bool file_is_gone(int dir, const char *name, bool follows)
{
	struct stat st;

	if (fstatat(dir, name, &st, follows ? 0 : AT_SYMLINK_NOFOLLOW) == 0) {
		errno = 0;
		return false;
	}
	return errno == ENOENT || errno == ENOTDIR;
}

bool file_is_at(int fd, int dir, const char *name)
{
	struct stat open, named;

	return fstat(fd, &open) == 0 &&
	       fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

bool file_is_same(const char *x, const char *y)
{
	struct stat a, b;

	return stat(x, &a) == 0 && stat(y, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

int file_exists(int dir, const char *name, const char *path, struct err *e)
{
	if (file_is_gone(dir, name, false))
		return 0;
	return errno ? err_sys(e, "cannot look for '%s'", path) : 1;
}

int file_sync(int fd)
{
	int r;

	do
		r = fsync(fd);
	while (r < 0 && errno == EINTR);
	return r;
}

int file_sync_dir(int dir, const char *path, struct err *e)
{
	if (file_sync(dir) == 0 || errno == EINVAL)
		return 0;
	return err_sys(e, "cannot sync the directory of '%s'", path);
}

enum file_kind file_kind_of(unsigned mode)
{
	return S_ISREG(mode)   ? FILE_REGULAR
	       : S_ISDIR(mode) ? FILE_FOLDER
	       : S_ISLNK(mode) ? FILE_LINK
			       : FILE_OTHER;
}

/* Set *KIND to the kind of ENTRY. Returns 1, 0 if it is gone, or -1 with errno
 * set. */
static int entry_kind(int dir, const struct dirent *entry, enum file_kind *kind)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN) {
		*kind = file_kind_of((unsigned)DTTOIF(entry->d_type));
		return 1;
	}
	if (fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -1;
	*kind = file_kind_of(st.st_mode);
	return 1;
}

/* Return the next entry of D except "." and "..": 1, 0 at the end, or -1 with
 * errno set. */
static int next_entry(DIR *d, int dir, struct dirent **entry,
		      enum file_kind *kind)
{
	int there;

	do {
		errno = 0;
		*entry = readdir(d);
		if (!*entry)
			return errno ? -1 : 0;
		there = strcmp((*entry)->d_name, ".") != 0 &&
			strcmp((*entry)->d_name, "..") != 0;
		if (there)
			there = entry_kind(dir, *entry, kind);
	} while (!there);
	return there;
}

/* Open the directory DIR for listing, with O_NOATIME if permitted: updating the
 * access time would cause a disk write. */
static int open_for_listing(int dir)
{
	int fd = file_open(dir, ".", O_RDONLY | O_DIRECTORY | O_NOATIME, 0);

	return fd < 0 && errno == EPERM
		       ? file_open(dir, ".", O_RDONLY | O_DIRECTORY, 0)
		       : fd;
}

int file_walk(int dir, const char *path, file_walk_fn *fn, void *ctx,
	      struct err *e)
{
	int r = 0, fd = open_for_listing(dir);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	enum file_kind kind;

	if (!d) {
		err_sys(e, "cannot read '%s'", path);
		file_close(fd);
		return -1;
	}
	while (!r) {
		int there = next_entry(d, dir, &entry, &kind);

		if (there < 0)
			r = err_sys(e, "cannot read '%s'", path);
		if (there <= 0)
			break;
		r = fn(ctx, entry->d_name, kind);
	}
	closedir(d);
	return r;
}

/* The context of add_entry(). */
struct adding {
	struct file_entry *items;
	size_t n, cap;
	struct arena *a;
};

static int add_entry(void *ctx, const char *name, enum file_kind kind)
{
	struct adding *l = ctx;

	*MEM_ADD(l->items, l->n, l->cap) =
		(struct file_entry){arena_strdup(l->a, name), kind};
	return 0;
}

static int by_name(const void *x, const void *y)
{
	const struct file_entry *a = x, *b = y;

	return strcmp(a->name, b->name);
}

int file_list(int dir, const char *path, struct arena *a,
	      struct file_list *list, struct err *e)
{
	struct adding all = {.a = a};
	const int r = file_walk(dir, path, add_entry, &all, e);

	MEM_SORT(all.items, all.n, by_name);
	list->n = all.n;
	list->items = arena_alloc(a, all.n * sizeof(*all.items));
	if (all.n)
		memcpy(list->items, all.items, all.n * sizeof(*all.items));
	free(all.items);
	return r;
}

bool file_is_plain(const char *path)
{
	for (const char *p = path; *p;) {
		const size_t len = strcspn(p, "/");

		if (!len || (len <= 2 && !strncmp(p, "..", len)))
			return false;
		p += len + (p[len] == '/');
	}
	return *path && path[strlen(path) - 1] != '/';
}

void file_close(int fd)
{
	if (fd >= 0)
		close(fd);
}

const char *file_name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
