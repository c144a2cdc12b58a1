/* operations.c: segments are read, the newest first, until there are enough
 * operations. */
#include "oplog/oplog.h"

#include "base/compat.h"

#include <fcntl.h>
#include <unistd.h>

#define DRAFTS LAYOUT_DRAFTS

/* Append the operations of the segment NAME of LOG to H, which has those of newer
 * segments. */
static int read_segment(struct repo *repo, int log, const char *name,
			struct arena *a, struct operations *h, size_t *cap,
			struct err *e)
{
	const struct oplog_op *ops;
	const char *path =
		arena_printf(a, "%s/%s", log_folder_path(&repo->root), name);
	struct buf text = {0};
	size_t n = 0;
	int dir, r = file_open_dir(log, name, path, &dir, e);

	if (r == 1) {
		r = file_read(dir, OPLOG_OPS,
			      arena_printf(a, "%s/" OPLOG_OPS, path),
			      OPLOG_LINES_MAX, &text, e);
		close(dir);
	}
	ops = lines_parse(&text, arena_strdup(a, name), a, &n);
	while (r == 1 && n-- > 0) {
		*MEM_ADD(h->ops, h->n, *cap) = ops[n];
	}
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* Set which operations of H are undone: those that an operation undoes that is not
 * undone itself. */
static void mark_undone(struct operations *h)
{
	for (size_t i = 0; i < h->n; i++) {
		struct oplog_op *op = &h->ops[i], *was;

		was = op->undoes && op->undoes < op->number && !op->undone
			      ? oplog_find(h, op->undoes)
			      : NULL;
		if (was)
			was->undone = true;
	}
}

int oplog_read(struct repo *repo, size_t want, struct arena *a,
	       struct operations *h, struct err *e)
{
	struct operations all = {0};
	struct strings names = {0};
	struct stat st;
	size_t cap = 0;
	int log, r = layout_open(repo, OPLOG_FOLDER, &log, e);

	*h = all;
	if (r != 1)
		return r;
	r = oplog_segments(log, layout_path(repo, OPLOG_FOLDER, a), &names, a,
			   e);
	if (r == 0)
		r = read_segment(repo, log, OPLOG_NOW, a, &all, &cap, e);
	for (size_t i = names.n; i-- > 0 && r == 0 && all.n < want;)
		r = read_segment(repo, log, names.items[i], a, &all, &cap, e);
	free(names.items);
	if (fstatat(log, OPLOG_NOW "/" OPLOG_OPS, &st, AT_SYMLINK_NOFOLLOW) ==
	    0)
		h->written = compat_mtime(&st);
	close(log);
	if (r == 0 && all.n) {
		h->n = all.n;
		h->ops = arena_alloc(a, all.n * sizeof(*all.ops));
		memcpy(h->ops, all.ops, all.n * sizeof(*all.ops));
		mark_undone(h);
	}
	free(all.ops);
	return r;
}

/* The numbers descend, unless another program wrote the log: then some are not
 * found. */
struct oplog_op *oplog_find(const struct operations *h, int64_t number)
{
	size_t low = 0, high = h->n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (h->ops[mid].number == number)
			return &h->ops[mid];
		if (h->ops[mid].number > number)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* Open the directory of drafts that has NAME; drafts/ if none has. */
static int open_drafts(struct repo *repo, const char *name, int *dir,
		       struct err *e)
{
	const int r = layout_open(repo, LAYOUT_SHARED, dir, e);

	if (r < 0)
		return -1;
	if (r == 1 && !file_is_gone(*dir, name, false))
		return 1;
	if (r == 1)
		close(*dir);
	return layout_open(repo, DRAFTS, dir, e);
}

int oplog_open_dir(struct repo *repo, const char *path, struct arena *a,
		   int *dir, const char **name, struct err *e)
{
	const char *slash = strrchr(path, '/'), *folder = "";
	int top, r;

	*dir = -1;
	if (!lines_is_path(path))
		return err_set(e, ERR_DATA, "'%s' is not a file of the store",
			       path);
	*name = slash ? slash + 1 : path;
	if (slash && slash > path + strlen(LAYOUT_KNOWLEDGE))
		folder = arena_copy(a, path + strlen(LAYOUT_KNOWLEDGE),
				    (size_t)(slash - path) -
					    strlen(LAYOUT_KNOWLEDGE));
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

/* Return 1 if OUT has the sum SUM, else 0. */
static int has_sum(const struct buf *out, const char *sum)
{
	char is[SHA256_HEX];

	return !strcmp(sha256_of(buf_str(out), out->len, is), sum);
}

int oplog_read_file(struct repo *repo, const char *path, struct buf *out,
		    struct err *e)
{
	struct arena a = {0};
	const char *name;
	int dir, r = oplog_open_dir(repo, path, &a, &dir, &name, e);

	if (r == 1) {
		r = file_read(dir, name,
			      arena_printf(&a, "%s/%s", repo->root.path, path),
			      LAYOUT_ANY_MAX, out, e);
		close(dir);
	}
	arena_release(&a);
	return r;
}

/* Read the file at PATH into OUT. Return 1 if its sum is SUM, 0, or -1. */
static int read_if(struct repo *repo, const char *path, const char *sum,
		   struct buf *out, struct err *e)
{
	const int r = oplog_read_file(repo, path, out, e);

	return r == 1 ? has_sum(out, sum) : r;
}

/* Read the content with the sum SUM from the segment NAME of the log into OUT.
 * Return as read_if(). */
static int read_kept(struct repo *repo, const char *name, const char *sum,
		     struct arena *a, struct buf *out, struct err *e)
{
	const char *folder = arena_printf(a, OPLOG_FOLDER "/%s", name);
	int dir, r = layout_open(repo, folder, &dir, e);

	if (r == 1) {
		r = file_read(dir, sum,
			      arena_printf(a, "%s/%s",
					   layout_path(repo, folder, a), sum),
			      LAYOUT_ANY_MAX, out, e);
		close(dir);
	}
	return r == 1 ? has_sum(out, sum) : r;
}

/* Return true if OP has a change from or to the content with the sum SUM. The search
 * begins with the change that was found last, since contents are asked for in the order
 * of the changes. */
static bool mentions_sum(struct oplog_op *op, const char *sum)
{
	for (size_t i = 0; i < op->n; i++) {
		const size_t at = (op->found + i) % op->n;
		const struct oplog_change *c = &op->changes[at];

		if ((c->before && !strcmp(c->before, sum)) ||
		    (c->after && !strcmp(c->after, sum))) {
			op->found = at;
			return true;
		}
	}
	return false;
}

/* Return the result of two lookups, A and B: 1 if one of them found the content,
 * else -1 if one failed. WHY is the error of B. ERR_DATA is no failure: a link or a
 * directory in the place of the file does not have the content. */
static int combine_results(int a, int b, const struct err *why, struct err *e)
{
	if (a == 1 || b == 1)
		return 1;
	if (b < 0 && why->code != ERR_DATA && a == 0)
		return err_take(e, why);
	return a;
}

/* Read the content with the sum SUM into OUT from the places where OP, which mentions
 * it, may have left it. Return 1, 0 if it is in none of them, or -1. */
static int read_from_places(struct repo *repo, const struct oplog_op *op,
			    const char *sum, struct buf *out, struct err *e)
{
	struct arena a = {0};
	struct err why;
	int got = read_kept(repo, op->segment, sum, &a, out, &why);
	int r = combine_results(0, got, &why, e);

	for (size_t i = 0; i < op->n && r != 1; i++) {
		const struct oplog_change *c =
			&op->changes[(op->found + i) % op->n];
		const bool was = c->before && !strcmp(c->before, sum),
			   became = c->after && !strcmp(c->after, sum);
		const char *places[] = {was ? c->trash : NULL,
					became ? c->from : NULL,
					was || became ? c->path : NULL};

		for (size_t k = 0; k < ARRAY_LEN(places) && r != 1; k++) {
			if (!places[k])
				continue;
			got = read_if(repo, places[k], sum, out, &why);
			r = combine_results(r, got, &why, e);
		}
	}
	arena_release(&a);
	return r;
}

int oplog_read_bytes(struct repo *repo, const struct operations *h,
		     const char *sum, struct buf *out, struct err *e)
{
	struct err why;
	int r = 0;

	for (size_t i = 0; i < h->n && r != 1; i++) {
		if (mentions_sum(&h->ops[i], sum))
			r = combine_results(r,
					    read_from_places(repo, &h->ops[i],
							     sum, out, &why),
					    &why, e);
	}
	if (r != 1)
		buf_cut(out, 0);
	return r;
}
