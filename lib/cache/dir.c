/* dir.c: the lock is flock() on the directory itself. Where that fails, as on
 * some network file systems, nothing is written.
 */
#include "cache/dir.h"

#include "base/hash.h"
#include "sys/dirs.h"
#include "sys/file-write.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define KEY_LENGTH 32
#define LOOK_MOST 256	/* directories of other stores checked in one call */
#define REMOVE_MOST 100 /* tries, while others write */
#define REMOVE_WAIT_MS 1000 /* wait for writers to finish */

/* Return true if FD is of KIND, belongs to the user, and nobody else may write
 * it. Set *ST to its stat. */
static bool is_private(int fd, mode_t kind, struct stat *st)
{
	return fstat(fd, st) == 0 && (st->st_mode & S_IFMT) == kind &&
	       st->st_uid == geteuid() && !(st->st_mode & 022);
}

static void add_key(struct buf *path, const char *store)
{
	const size_t len = strlen(store);

	if (*store != '/') {
		buf_adds(path, store);
		return;
	}
	buf_addf(path, "%016llx%016llx",
		 (unsigned long long)hash_bytes(store, len, 0),
		 (unsigned long long)hash_bytes(store, len, 1));
}

int cache_dir_open(struct cache_dir *d, const char *store, bool make)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
	struct buf path = {0};
	struct stat st;
	char *cache;
	int fd;

	*d = (struct cache_dir){-1, NULL, false};
	if (dirs_cache(&cache, NULL) < 0)
		return 0;
	buf_addf(&path, "%s/", cache);
	add_key(&path, store);
	fd = file_open(AT_FDCWD, path.p, flags, 0);
	if (fd < 0 && errno == ENOENT && make) {
		int above;

		if (file_make_path(cache, 0700, &above, NULL) == 0) {
			if (file_mkdir(above, file_name_of(path.p), 0700) ==
				    0 ||
			    errno == EEXIST)
				fd = file_open(AT_FDCWD, path.p, flags, 0);
			close(above);
		}
	}
	free(cache);
	if (fd >= 0 && is_private(fd, S_IFDIR, &st)) {
		d->fd = fd;
		d->path = buf_take(&path);
		return 1;
	}
	file_close(fd);
	buf_release(&path);
	return 0;
}

void cache_dir_close(struct cache_dir *d)
{
	file_close(d->fd);
	free(d->path);
	*d = (struct cache_dir){-1, NULL, false};
}

int cache_dir_lock(struct cache_dir *d, int wait_ms)
{
	const struct timespec pause = {0, 1000000};

	if (d->locked)
		return 1;
	while (d->fd >= 0) {
		if (flock(d->fd, LOCK_EX | LOCK_NB) == 0)
			return d->locked = true;
		if ((errno != EWOULDBLOCK && errno != EINTR) || wait_ms-- <= 0)
			return 0;
		nanosleep(&pause, NULL);
	}
	return 0;
}

void cache_dir_unlock(struct cache_dir *d)
{
	if (d->locked)
		flock(d->fd, LOCK_UN);
	d->locked = false;
}

int cache_dir_file(const struct cache_dir *d, const char *name, bool write,
		   int *fd, struct stat *st)
{
	const int flags = (write ? O_WRONLY | O_APPEND : O_RDONLY) |
			  O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

	*fd = file_open(d->fd, name, flags, 0);
	if (*fd < 0)
		return 0;
	if (is_private(*fd, S_IFREG, st))
		return 1;
	close(*fd);
	*fd = -1;
	return 0;
}

int cache_dir_new(const struct cache_dir *d)
{
	if (unlinkat(d->fd, FILE_TEMP, 0) < 0 && errno != ENOENT)
		return -1;
	return file_open(d->fd, FILE_TEMP,
			 O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
}

int cache_dir_put(const struct cache_dir *d, const char *name)
{
	if (name && renameat(d->fd, FILE_TEMP, d->fd, name) == 0)
		return 0;
	unlinkat(d->fd, FILE_TEMP, 0);
	return name ? -1 : 0;
}

struct prune_walk {
	const struct cache_dir *own;
	cache_dir_owner_fn *owner;
	const char *above; /* the parent of all cache directories */
	size_t left;
};

static int remove_known_file(void *ctx, const char *name, enum file_kind kind)
{
	const struct cache_dir *d = ctx;

	if (kind == FILE_REGULAR &&
	    (!strcmp(name, "files") || !strcmp(name, "actions") ||
	     !strcmp(name, FILE_TEMP) ||
	     !strncmp(name, "knowledge.", strlen("knowledge.")) ||
	     !strncmp(name, "conversations", strlen("conversations")) ||
	     !strncmp(name, "vectors-", strlen("vectors-"))))
		unlinkat(d->fd, name, 0);
	return 0;
}

/* Remove D, even if others hold its lock, and sync its parent. */
static int remove_dir(const struct cache_dir *d, struct err *e)
{
	char *above = mem_strdup(d->path);
	int fd, r = -1;

	*strrchr(above, '/') = '\0';
	for (int i = 0; i < REMOVE_MOST && r < 0; i++) {
		file_walk(d->fd, d->path, remove_known_file, (void *)d, NULL);
		r = rmdir(d->path) == 0 || errno == ENOENT ? 0 : -1;
	}
	if (r < 0)
		err_sys(e, "cannot remove '%s'", d->path);
	if (!r)
		r = file_open_dir(AT_FDCWD, above, above, &fd, e);
	if (r == 1) {
		r = file_sync_dir(fd, above, e);
		close(fd);
	}
	free(above);
	return r;
}

int cache_dir_remove(const char *store, struct err *e)
{
	struct cache_dir d;
	int r = 0;

	if (cache_dir_open(&d, store, false)) {
		/* Let a writer finish. */
		cache_dir_lock(&d, REMOVE_WAIT_MS);
		r = remove_dir(&d, e);
	}
	cache_dir_close(&d);
	return r;
}

/* Return true if D, called KEY, belongs to a store that no longer exists. */
static bool is_orphan(const struct cache_dir *d, const char *key,
		      cache_dir_owner_fn *owner)
{
	struct buf own = {0};
	struct stat st;
	char *store;
	bool gone;

	if (!owner(d, &store))
		return false;
	add_key(&own, store);
	gone = !strcmp(own.p, key) && lstat(store, &st) < 0 &&
	       (errno == ENOENT || errno == ENOTDIR);
	buf_release(&own);
	free(store);
	return gone;
}

static int remove_if_orphan(void *ctx, const char *name, enum file_kind kind)
{
	struct prune_walk *l = ctx;
	struct cache_dir d = {-1, NULL, false};
	struct buf path = {0};
	struct stat st;

	if (kind != FILE_FOLDER || strlen(name) != KEY_LENGTH ||
	    strspn(name, "0123456789abcdef") != KEY_LENGTH ||
	    !strcmp(name, strrchr(l->own->path, '/') + 1))
		return 0;
	buf_addf(&path, "%s/%s", l->above, name);
	d.fd = file_open(AT_FDCWD, path.p, O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
			 0);
	d.path = buf_take(&path);
	if (d.fd >= 0 && is_private(d.fd, S_IFDIR, &st) &&
	    is_orphan(&d, name, l->owner) && cache_dir_lock(&d, 0)) {
		file_walk(d.fd, d.path, remove_known_file, &d, NULL);
		rmdir(d.path);
	}
	cache_dir_close(&d);
	return --l->left ? 0 : 1;
}

void cache_dir_prune(const struct cache_dir *d, cache_dir_owner_fn *owner)
{
	static bool pruned;
	struct buf above = {0};
	struct prune_walk l = {d, owner, NULL, LOOK_MOST};
	int fd;

	if (pruned)
		return;
	pruned = true;
	buf_add(&above, d->path, (size_t)(strrchr(d->path, '/') - d->path));
	l.above = above.p;
	fd = file_open(AT_FDCWD, above.p, O_RDONLY | O_DIRECTORY, 0);
	if (fd >= 0) {
		file_walk(fd, above.p, remove_if_orphan, &l, NULL);
		close(fd);
	}
	buf_release(&above);
}
