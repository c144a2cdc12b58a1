/* browse-file.c: see browse-file.h. */
#include "porcelain/browse-file.h"

#include "base/hash.h"
#include "sys/dirs.h"
#include "sys/execpath.h"
#include "sys/file-write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define MODE 0600
#define SUFFIX ".html"
#define TRIES 10 /* where others take the file away meanwhile */

static int add_folder(struct buf *path, struct err *e)
{
	char *cache;

	if (dirs_cache(&cache, e) < 0)
		return -1;
	buf_addf(path, "%s/browse", cache);
	free(cache);
	return 0;
}

struct pages {
	int dir;
	const char *path;
	struct err *e;
};

static int forget(void *ctx, const char *name, enum file_kind kind)
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

	/* Where nothing says where it is, nothing was ever made. */
	if (add_folder(&path, NULL) < 0)
		return 0;
	r = file_open_dir(AT_FDCWD, path.p, path.p, &p.dir, e);
	if (r == 1) {
		p.path = path.p;
		r = file_walk(p.dir, path.p, forget, &p, e);
		if (!r)
			r = file_sync_dir(p.dir, path.p, e);
		close(p.dir);
	}
	buf_release(&path);
	return r;
}
