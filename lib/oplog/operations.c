/* operations.c: segments are read from the newest on, until there are enough. */
#include "oplog/operations.h"

#include "base/sha256.h"
#include "oplog/oplog.h"

#include <fcntl.h>
#include <unistd.h>

#define KNOWLEDGE "knowledge/"
#define DRAFTS "drafts"

/* Open the folder of drafts that has NAME, or drafts/ itself. */
static int open_drafts(struct repo *repo, const char *name, int *dir,
		       struct err *e)
{
	struct stat st;
	const int r = layout_open(repo, LAYOUT_SHARED, dir, NULL);

	if (r == 1 && fstatat(*dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return 1;
	if (r == 1)
		close(*dir);
	return layout_open(repo, DRAFTS, dir, e);
}

int operations_open(struct repo *repo, const char *path, struct arena *a,
		    int *dir, const char **name, struct err *e)
{
	const char *slash = strrchr(path, '/'), *folder = "";
	int top, r;

	*dir = -1;
	if (!lines_is_path(path))
		return err_set(e, ERR_DATA, "'%s' is no file of the store",
			       path);
	*name = slash ? slash + 1 : path;
	if (slash && slash > path + strlen(KNOWLEDGE))
		folder = arena_copy(a, path + strlen(KNOWLEDGE),
				    (size_t)(slash - path) - strlen(KNOWLEDGE));
	if (!strcmp(folder, DRAFTS))
		return open_drafts(repo, *name, dir, e);
	if (!slash && repo->root.fd < 0)
		return 0;
	if (!slash) {
		*dir = file_open(repo->root.fd, ".", O_RDONLY | O_DIRECTORY, 0);
		r = *dir < 0 ? err_sys(e, "cannot open '%s'", repo->root.path)
			     : 1;
	} else {
		r = layout_open(repo, folder, dir, e);
	}
	if (r != 1 || *folder || repo->root.scope != SCOPE_GLOBAL)
		return r;
	top = *dir;
	path = arena_printf(a, "%s/%s", repo->root.path, path);
	r = file_follow(top, *name, path, a, dir, name, e);
	close(top);
	return r < 0 ? -1 : 1;
}

/* Read the file at PATH into OUT, if its sum is SUM: 1, 0, -1. */
static int read_if(struct repo *repo, const char *path, const char *sum,
		   struct buf *out, struct err *e)
{
	struct arena a = {0};
	char is[SHA256_HEX];
	const char *name;
	int dir, r = operations_open(repo, path, &a, &dir, &name, e);

	if (r == 1) {
		r = file_read(dir, name, path, LAYOUT_FILE_MAX * 16, out, e);
		close(dir);
	}
	if (r == 1)
		r = !strcmp(sha256_of(buf_str(out), out->len, is), sum);
	arena_release(&a);
	return r;
}

static bool has(const struct oplog_op *op, const char *sum)
{
	for (size_t i = 0; i < op->n; i++) {
		const struct oplog_change *c = &op->changes[i];

		if ((c->before && !strcmp(c->before, sum)) ||
		    (c->after && !strcmp(c->after, sum)))
			return true;
	}
	return false;
}

/* Look where OP may have left the bytes of SUM. */
static int bytes_of(struct repo *repo, const struct oplog_op *op,
		    const char *sum, struct buf *out, struct err *e)
{
	struct arena a = {0};
	char is[SHA256_HEX];
	int dir, r;

	r = layout_open(repo, arena_printf(&a, OPLOG_FOLDER "/%s", op->segment),
			&dir, e);
	if (r == 1) {
		r = file_read(dir, sum, sum, LAYOUT_FILE_MAX * 16, out, NULL);
		close(dir);
	}
	r = r == 1 && !strcmp(sha256_of(buf_str(out), out->len, is), sum);
	for (size_t i = 0; i < op->n && !r; i++) {
		const struct oplog_change *c = &op->changes[i];
		const bool was = c->before && !strcmp(c->before, sum),
			   became = c->after && !strcmp(c->after, sum);

		if (was && c->trash)
			r = read_if(repo, c->trash, sum, out, e) == 1;
		if (!r && became && c->from)
			r = read_if(repo, c->from, sum, out, e) == 1;
		if (!r && (was || became))
			r = read_if(repo, c->path, sum, out, e) == 1;
	}
	arena_release(&a);
	return r;
}

int operations_bytes(struct repo *repo, const struct operations *h,
		     const char *sum, struct buf *out, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < h->n && !r; i++) {
		if (has(&h->ops[i], sum))
			r = bytes_of(repo, &h->ops[i], sum, out, e);
	}
	if (!r)
		buf_cut(out, 0);
	return r;
}
