/* oplog.c: the number of an operation is one more than that of the last line, so only
 * the end of the file is read. If another process has written lines since our last
 * ones, our operation ends, so the lines of two operations are never mixed.
 */
#include "oplog/oplog.h"

#include "sys/io.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define TAIL_SHORT 4096
#define TAIL_LONG ((size_t)256 * 1024) /* more than any line has */
#define NUMBER_DIGITS 12	       /* of a segment's name */

void oplog_close(struct oplog *l)
{
	file_close(l->ops);
	file_close(l->dir);
	file_close(l->top);
	*l = OPLOG_NONE;
}

/* Read the end of FD, which has SIZE bytes, into TAIL. Set *LINE and *LEN to the last
 * complete line, borrowed from TAIL. Return its number, 0 if there is none, or -1 with
 * errno set. */
static int64_t last_line(int fd, int64_t size, struct buf *tail,
			 const char **line, size_t *len)
{
	for (size_t want = TAIL_SHORT;; want = TAIL_LONG) {
		const size_t room = (size_t)size < want ? (size_t)size : want;
		const char *end, *p;
		ssize_t got;
		int64_t n;

		buf_cut(tail, 0);
		buf_grow(tail, room);
		got = pread(fd, tail->p, room, (off_t)(size - (int64_t)room));
		if (got < 0)
			return -1;
		tail->len = (size_t)got;
		for (end = tail->p + got; end > tail->p; end = p) {
			for (p = end; p > tail->p && p[-1] != '\n'; p--)
				;
			*line = p;
			*len = (size_t)(end - p);
			n = lines_number(*line, *len);
			if (n)
				return n;
			p -= p > tail->p;
		}
		if (room < want || want == TAIL_LONG)
			return 0;
	}
}

int oplog_segments(int log, const char *path, struct strings *names,
		   struct arena *a, struct err *e)
{
	struct file_list all;

	*names = (struct strings){0};
	if (file_list(log, path, a, &all, e) < 0)
		return -1;
	for (size_t i = 0; i < all.n; i++) {
		const char *name = all.items[i].name;

		if (all.items[i].kind == FILE_FOLDER &&
		    strlen(name) == NUMBER_DIGITS &&
		    strspn(name, "0123456789") == NUMBER_DIGITS)
			strings_add(names, name);
	}
	return 0;
}

/* Return true if the last operation of the segment DIR is older than OPLOG_DAYS, or its
 * time is unknown. */
static bool is_old(int dir)
{
	const int fd = file_open(dir, OPLOG_OPS,
				 O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	struct buf tail = {0};
	struct arena a = {0};
	struct instant at;
	struct stat st;
	const char *line;
	size_t len, n;
	bool old = true;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    last_line(fd, st.st_size, &tail, &line, &len) > 0) {
		struct buf text = {0};
		const struct oplog_op *op;

		buf_add(&text, line, len);
		op = lines_parse(&text, OPLOG_NOW, &a, &n);
		if (n && instant_parse(op->at, strlen(op->at), &at))
			old = at.sec + (int64_t)OPLOG_DAYS * 24 * 3600 <
			      instant_now().sec;
		buf_release(&text);
	}
	file_close(fd);
	buf_release(&tail);
	arena_release(&a);
	return old;
}

/* Remove the segment NAME of LOG if it is old. Return false if it is not. */
static bool prune_one(int log, const char *name)
{
	int dir;
	bool old;

	if (file_open_dir(log, name, name, &dir, NULL) != 1)
		return false;
	old = is_old(dir);
	close(dir);
	if (old)
		file_remove_tree(log, name, 1);
	return old;
}

/* Remove the segments that are old, except the newest. Errors are ignored. */
static void prune_segments(int log)
{
	struct strings names;
	struct arena a = {0};

	if (oplog_segments(log, OPLOG_FOLDER, &names, &a, NULL) == 0) {
		for (size_t i = 0; i + 1 < names.n; i++) {
			if (!prune_one(log, names.items[i]))
				break;
		}
		free(names.items);
	}
	arena_release(&a);
}

/* Open the lines of L's segment. Return their last number, 0 for none, or -1. */
static int64_t open_ops(struct oplog *l, struct repo *repo, struct err *e)
{
	struct buf tail = {0};
	const char *line;
	struct stat st;
	int64_t n = -1;
	size_t len;

	l->ops =
		file_open(l->dir, OPLOG_OPS,
			  O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK,
			  log_folder_file_mode(&repo->root));
	if (l->ops < 0 || fstat(l->ops, &st) < 0)
		return err_sys(e, "cannot open '%s/now/ops'", l->path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_SYSTEM, "'%s/now/ops' is not a file",
			       l->path);
	n = last_line(l->ops, st.st_size, &tail, &line, &len);
	if (n < 0)
		err_sys(e, "cannot read '%s/now/ops'", l->path);
	/* End a line that a power failure cut off. */
	else if (tail.len && tail.p[tail.len - 1] != '\n' &&
		 io_write(l->ops, "\n", 1) < 0)
		n = err_sys(e, "cannot write '%s/now/ops'", l->path);
	buf_release(&tail);
	return n;
}

/* Open the directory of the log and its newest segment; create them if they are
 * absent. */
static int open_now(struct oplog *l, struct repo *repo, struct err *e)
{
	int r = log_folder_open(&repo->root, false, &l->top, e);

	if (r == 0)
		r = log_folder_open(&repo->root, true, &l->top, e);
	if (r < 0)
		return -1;
	l->path = log_folder_path(&repo->root);
	file_tidy(l->top);
	if (log_folder_claim(&repo->root, l->top, e) < 0)
		return -1;
	return file_make_dir(l->top, OPLOG_NOW, l->path,
			     log_folder_dir_mode(&repo->root), &l->dir, NULL,
			     e);
}

/* Close the segment whose last operation is NUMBER, and begin the next. */
static int begin_segment(struct oplog *l, struct repo *repo, int64_t number,
			 struct err *e)
{
	char name[24];
	int r;

	snprintf(name, sizeof(name), "%0*lld", NUMBER_DIGITS,
		 (long long)number);
	r = file_rename(l->top, OPLOG_NOW, l->top, name, l->path, e);
	if (r == 0)
		r = err_set(e, ERR_SYSTEM, "'%s/%s' already exists", l->path,
			    name);
	if (r != 1)
		return -1;
	prune_segments(l->top);
	oplog_close(l);
	return open_now(l, repo, e) < 0 || open_ops(l, repo, e) < 0 ? -1 : 0;
}

/* Return the last operation of the complete segments, 0 for none, or -1. */
static int64_t last_whole(const struct oplog *l, struct err *e)
{
	struct strings names;
	struct arena a = {0};
	int64_t n = -1;

	if (oplog_segments(l->top, l->path, &names, &a, e) == 0) {
		n = names.n ? strtoll(names.items[names.n - 1], NULL, 10) : 0;
		free(names.items);
	}
	arena_release(&a);
	return n;
}

/* Return true if the lines of the newest segment of L have become too long. */
static bool is_full(const struct oplog *l)
{
	struct stat st;

	return fstat(l->ops, &st) == 0 && st.st_size > (off_t)OPLOG_LINES_FULL;
}

int oplog_begin(struct oplog *l, struct repo *repo, struct err *e)
{
	struct stat st;
	int64_t n;

	if (l->number && l->ops >= 0 && fstat(l->ops, &st) == 0 &&
	    st.st_size == l->size && st.st_nlink)
		return 0;
	oplog_close(l);
	if (open_now(l, repo, e) < 0)
		return -1;
	n = open_ops(l, repo, e);
	if (n == 0)
		n = last_whole(l, e);
	/* The contents that an unfinished journal needs must stay in the newest
	 * segment. */
	else if (n > 0 && (n % OPLOG_SEGMENT == 0 || is_full(l)) &&
		 file_is_gone(l->top, OPLOG_NOTE, false) &&
		 begin_segment(l, repo, n, e) < 0)
		n = -1;
	if (n >= 0 && n >= LINES_NUMBER_MAX)
		n = err_set(e, ERR_SYSTEM, "no number is left in '%s'",
			    l->path);
	if (n < 0) {
		oplog_close(l);
		return -1;
	}
	l->number = n + 1;
	return 0;
}

/* Append TEXT, complete lines, in one write, and release it. Close the log if that
 * fails. */
static int append_lines(struct oplog *l, struct buf *text, struct err *e)
{
	struct stat st;
	int r = 0;

	if (io_write(l->ops, text->p, text->len) < 0 ||
	    fstat(l->ops, &st) < 0) {
		r = err_sys(e, "cannot write '%s/now/ops'", l->path);
		oplog_close(l);
	} else {
		l->size = st.st_size;
	}
	buf_release(text);
	return r;
}

int oplog_add(struct oplog *l, const struct oplog_op *op, struct err *e)
{
	struct buf text = {0};

	lines_add(&text, op);
	return append_lines(l, &text, e);
}

int oplog_fail(struct oplog *l, const char *path, struct err *e)
{
	struct buf text = {0};

	lines_add_failure(&text, l->number, path);
	return append_lines(l, &text, e);
}

/* Return 1 if DIR has the content with the sum SUM, 0 if not, or -1 if it cannot be
 * read. */
static int is_kept(int dir, const char *sum, struct err *e)
{
	struct buf text = {0};
	char is[SHA256_HEX];
	int r = file_read(dir, sum, sum, LAYOUT_ANY_MAX, &text, e);

	if (r == 1)
		r = !strcmp(sha256_of(buf_str(&text), text.len, is), sum);
	buf_release(&text);
	return r;
}

static int sync_kept(int dir, const char *sum, const char *path, struct err *e)
{
	const int fd = file_open(dir, sum, O_RDONLY | O_NOFOLLOW, 0);
	int r;

	if (fd < 0)
		return err_sys(e, "cannot open '%s'", path);
	r = file_sync(fd) < 0 ? err_sys(e, "cannot write '%s'", path)
			      : file_sync_dir(dir, path, e);
	close(fd);
	return r;
}

/* Write the file SUM without a sync. If a power failure damages it, its sum is
 * wrong. */
static int write_loose(int dir, const char *sum, const char *path,
		       unsigned mode, const char *p, size_t len, struct err *e)
{
	const int fd = file_open(
		dir, sum, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
	int r = 0;

	if (fd < 0)
		return err_sys(e, "cannot make '%s'", path);
	if (io_write(fd, p, len) < 0)
		r = err_sys(e, "cannot write '%s'", path);
	close(fd);
	if (r < 0)
		unlinkat(dir, sum, 0);
	return r;
}

int oplog_keep(struct oplog *l, struct repo *repo, const char *sum,
	       const char *p, size_t len, bool durable, struct err *e)
{
	const unsigned mode = log_folder_file_mode(&repo->root);
	struct arena a = {0};
	const char *path =
		arena_printf(&a, "%s/" OPLOG_NOW "/%s", l->path, sum);
	const int had = is_kept(l->dir, sum, NULL);
	int r = 0;

	if (had != 1) {
		unlinkat(l->dir, sum, 0);
		r = durable ? file_create_from(l->top, l->dir, sum, path, mode,
					       p, len, e)
			    : write_loose(l->dir, sum, path, mode, p, len, e);
	} else if (durable) {
		r = sync_kept(l->dir, sum, path, e);
	}
	arena_release(&a);
	return r < 0 ? -1 : had == 0;
}
