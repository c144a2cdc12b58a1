/* browse-file.c: create the file or replace it atomically, and retry if another
 * process removes it in between.
 */
#include "overview/browse.h"

#include "base/hash.h"
#include "sys/dirs.h"
#include "sys/execpath.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define MODE 0600
#define SUFFIX ".html"
#define TRIES 10 /* attempts, if others remove the file meanwhile */

static int add_pages_dir(struct buf *path, struct err *e)
{
	char *cache;

	if (dirs_cache(&cache, e) < 0)
		return -1;
	buf_addf(path, "%s/browse", cache);
	free(cache);
	return 0;
}

int browse_file_path(struct buf *path, const struct store *s, struct err *e)
{
	const char *of = s->repo.root.path;

	if (add_pages_dir(path, e) < 0)
		return -1;
	buf_addf(path, "/%016llx" SUFFIX,
		 (unsigned long long)hash_bytes(of, strlen(of), 0));
	return 0;
}

/* Write PAGE to NAME in DIR, whether or not it exists. */
static int write_page(int dir, const char *name, const char *path,
		      const char *page, size_t len, struct err *e)
{
	struct err why;
	int r = -1;

	for (int i = 0; i < TRIES && r < 0; i++) {
		r = file_create(dir, name, path, MODE, page, len, e);
		if (r)
			return r < 0 ? -1 : 0;
		r = file_replace(dir, name, path, page, len, &why);
		if (r < 0 && why.code != ERR_BUSY)
			break;
	}
	if (r < 0 && e)
		*e = why;
	return r;
}

int browse_file_keep(const char *path, const char *page, size_t len,
		     struct err *e)
{
	const char *name = strrchr(path, '/') + 1;
	struct buf folder = {0};
	int fd, r;

	buf_add(&folder, path, (size_t)(name - path - 1));
	r = file_make_path(folder.p, 0700, &fd, e);
	buf_release(&folder);
	if (r < 0)
		return -1;
	file_tidy(fd);
	r = write_page(fd, name, path, page, len, e);
	close(fd);
	return r;
}

int browse_file_write(const char *name, const char *page, size_t len,
		      struct arena *a, const char **path, struct err *e)
{
	const char *slash = strrchr(name, '/'), *last, *folder;
	int fd, r;

	/* Follow a link to an existing file; otherwise resolve only the
	 * directory. */
	if (access(name, F_OK) == 0) {
		*path = file_absolute(name, a, e);
	} else {
		last = slash ? slash + 1 : name;
		folder = slash ? arena_copy(a, name, (size_t)(slash - name))
			       : ".";
		folder = file_absolute(*folder ? folder : "/", a, e);
		*path = folder ? arena_printf(a, "%s/%s",
					      strcmp(folder, "/") ? folder : "",
					      last)
			       : NULL;
	}
	if (!*path)
		return -1;
	slash = strrchr(*path, '/');
	last = slash + 1;
	if (!*last)
		return err_set(e, ERR_USAGE, "'%s' is a directory", name);
	folder = slash == *path ? "/"
				: arena_copy(a, *path, (size_t)(slash - *path));
	r = file_open_dir(AT_FDCWD, folder, folder, &fd, e);
	if (!r)
		return err_set(e, ERR_SYSTEM, "there is no directory '%s'",
			       folder);
	if (r < 0)
		return -1;
	r = write_page(fd, last, *path, page, len, e);
	close(fd);
	return r;
}

struct pages {
	int dir;
	const char *path;
	struct err *e;
};

static int remove_page(void *ctx, const char *name, enum file_kind kind)
{
	const struct pages *p = ctx;
	const size_t len = strlen(name);

	if (kind != FILE_REGULAR ||
	    (strncmp(name, FILE_TEMP, strlen(FILE_TEMP)) != 0 &&
	     (len < strlen(SUFFIX) ||
	      strcmp(name + len - strlen(SUFFIX), SUFFIX) != 0)))
		return 0;
	if (unlinkat(p->dir, name, 0) < 0 && errno != ENOENT)
		return err_sys(p->e, "cannot remove '%s/%s'", p->path, name);
	return 0;
}

int browse_file_forget(struct err *e)
{
	struct pages p = {.e = e};
	struct buf path = {0};
	int r;

	/* Without a cache directory, no page was ever written. */
	if (add_pages_dir(&path, NULL) < 0)
		return 0;
	r = file_open_dir(AT_FDCWD, path.p, path.p, &p.dir, e);
	if (r == 1) {
		p.path = path.p;
		r = file_walk(p.dir, path.p, remove_page, &p, e);
		if (!r)
			r = file_sync_dir(p.dir, path.p, e);
		close(p.dir);
	}
	buf_release(&path);
	return r;
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

bool browse_file_viewer(struct buf *program, const char *argv0)
{
	return isatty(STDOUT_FILENO) &&
	       (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")) &&
	       execpath_find(program, "xdg-open", argv0);
}
