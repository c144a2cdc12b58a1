/* purge.c: all lines are read first, since one tells of another name of what
 * another is about.  A file keeps its lines where it is a context or a list of
 * items that once held what goes: only what tells of those bytes is taken out.
 */

#include "base/strings.h"
#include "base/table.h"
#include "oplog/oplog.h"

#include <fcntl.h>
#include <unistd.h>

/* A folder of the log, or itself: a file of lines, and bytes by their sums. */
struct folder {
	int fd;
	const char *path; /* absolute */
	struct buf text;  /* of its lines */
	struct strings kept;
};

struct line {
	size_t folder, at, len;
	struct oplog_change c; /* whose path is NULL for what is no line */
	bool goes;
};

struct purging {
	const struct oplog_purge *p;
	struct arena a;
	struct folder *folders;
	size_t n, cap;
	struct line *lines;
	size_t nlines, room;
	struct strings gone;   /* names and sums */
	struct table is_gone;  /* of these */
	struct folder *walked; /* the one whose entries come */
	struct strings inner;  /* the folders in the log */
};

/* What the file at PATH is called: an article may be called as any file is, and has
 * its folder in front. */
static const char *called(const char *path)
{
	static const char articles[] = LAYOUT_ARTICLES "/";
	const size_t len = strlen(articles);
	const char *slash = strrchr(path, '/'),
		   *name = slash ? slash + 1 : path;

	return (size_t)(name - path) >= len &&
			       !strncmp(name - len, articles, len)
		       ? name - len
		       : name;
}

static bool goes(const struct purging *w, const char *name)
{
	struct table_look k;
	size_t i;

	if (!name)
		return false;
	k = table_look(&w->is_gone, name, strlen(name), 0);
	while (table_next(&k, &i)) {
		if (!strcmp(w->gone.items[i], name))
			return true;
	}
	return false;
}

static void take(struct purging *w, const char *name)
{
	if (!name || goes(w, name))
		return;
	table_put(&w->is_gone, name, strlen(name), 0, w->gone.n);
	strings_add(&w->gone, arena_strdup(&w->a, name));
}

static bool holds(const struct purging *w, const char *name,
		  const struct buf *text)
{
	return w->p->holds && w->p->holds(w->p->ctx, name, text);
}

static bool is_lines(const char *name)
{
	return !strcmp(name, OPLOG_OPS) || !strcmp(name, OPLOG_NOTE) ||
	       !strcmp(name, LOG_FOLDER_STORE);
}

static void add_line(struct purging *w, size_t folder, size_t at, size_t len)
{
	struct buf text = {0};
	struct line l = {folder, at, len, {0}, false};

	buf_add(&text, w->folders[folder].text.p + at, len);
	if (!lines_change(text.p, len, &w->a, &l.c))
		l.c = (struct oplog_change){0};
	l.goes = holds(w, "", &text);
	for (size_t i = 0; i < w->p->n && !l.c.path; i++)
		l.goes = l.goes || strstr(text.p, called(w->p->paths[i]));
	w->lines = mem_grow(w->lines, w->nlines, &w->room, sizeof(*w->lines));
	w->lines[w->nlines++] = l;
	buf_release(&text);
}

static void add_lines(struct purging *w, size_t folder)
{
	const struct buf *text = &w->folders[folder].text;

	for (size_t at = 0, len; at < text->len; at += len + 1) {
		const char *p = text->p + at,
			   *end = memchr(p, '\n', text->len - at);

		len = end ? (size_t)(end - p) : text->len - at;
		if (len)
			add_line(w, folder, at, len);
	}
}

static int add_kept(void *ctx, const char *name, enum file_kind kind)
{
	struct purging *w = ctx;
	struct buf text = {0};

	if (kind != FILE_REGULAR || is_lines(name))
		return 0;
	strings_add(&w->walked->kept, arena_strdup(&w->a, name));
	/* A killed writer left it, and nobody needs it. */
	if (!strncmp(name, FILE_TEMP, strlen(FILE_TEMP)))
		take(w, name);
	else if (w->p->holds &&
		 file_read(w->walked->fd, name, name, LAYOUT_FILE_MAX * 64,
			   &text, NULL) > 0 &&
		 holds(w, name, &text))
		take(w, name);
	buf_release(&text);
	return 0;
}

/* The path of NAME in F, or for NULL of F. */
static const char *path_in(struct purging *w, const struct folder *f,
			   const char *name)
{
	return name ? arena_printf(&w->a, "%s/%s", f->path, name) : f->path;
}

/* Read the folder FD, at PATH in the arena of W, which holds LINES. */
static int read_folder(struct purging *w, int fd, const char *path,
		       const char *lines, struct err *e)
{
	struct folder *f;

	w->folders = mem_grow(w->folders, w->n, &w->cap, sizeof(*w->folders));
	f = w->walked = &w->folders[w->n++];
	*f = (struct folder){.fd = fd, .path = path};
	if (file_read(fd, lines, path_in(w, f, lines), OPLOG_LINES_MAX,
		      &f->text, e) < 0)
		return -1;
	add_lines(w, w->n - 1);
	return file_walk(fd, path_in(w, f, NULL), add_kept, w, e);
}

static int add_folder(void *ctx, const char *name, enum file_kind kind)
{
	struct purging *w = ctx;

	if (kind == FILE_FOLDER)
		strings_add(&w->inner, arena_strdup(&w->a, name));
	return 0;
}

static int read_all(struct purging *w, int log, const char *path, struct err *e)
{
	int fd, r = read_folder(w, log, path, OPLOG_NOTE, e);

	if (!r)
		r = file_walk(log, path_in(w, w->folders, NULL), add_folder, w,
			      e);
	for (size_t i = 0; i < w->inner.n && !r; i++) {
		const char *name = w->inner.items[i];

		r = file_open_dir(log, name, path_in(w, w->folders, name), &fd,
				  e);
		if (r == 1)
			r = read_folder(
				w, fd, arena_printf(&w->a, "%s/%s", path, name),
				OPLOG_OPS, e);
	}
	return r;
}

/* True if PATH is one that holds one thing: its other names are that thing's. */
static bool is_of_one(const char *path)
{
	return strchr(path, '/') != strrchr(path, '/');
}

/* Take L, unless it stays: true if it goes, and did not before. */
static bool judge(struct purging *w, struct line *l, bool again)
{
	const struct oplog_change *c = &l->c;
	const char *paths[] = {c->path, c->trash, c->from};
	bool named = false;

	if (!c->path || (l->goes && again))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		named = named || (paths[i] && goes(w, called(paths[i])));
	if (!named && !l->goes && !goes(w, c->before) && !goes(w, c->after))
		return false;
	l->goes = true;
	if (!named && !is_of_one(c->path))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		take(w, paths[i] ? called(paths[i]) : NULL);
	take(w, c->before);
	take(w, c->after);
	return true;
}

static void judge_all(struct purging *w)
{
	bool more, again = false;

	for (size_t i = 0; i < w->p->n; i++)
		take(w, called(w->p->paths[i]));
	do {
		more = false;
		for (size_t i = 0; i < w->nlines; i++)
			more = judge(w, &w->lines[i], again) || more;
		again = true;
	} while (more);
}

static void tell(struct purging *w, const struct folder *f, const char *name,
		 size_t lines)
{
	struct buf what = {0};

	if (!w->p->gone)
		return;
	buf_addf(&what, "%s/%s", f->path, name);
	if (lines)
		buf_addf(&what, " (%zu line%s)", lines, lines == 1 ? "" : "s");
	w->p->gone(w->p->ctx, what.p);
	buf_release(&what);
}

/* Write the lines of the folder AT that stay. */
static int write_lines(struct purging *w, size_t at, struct err *e)
{
	const char *name = at ? OPLOG_OPS : OPLOG_NOTE;
	struct folder *f = &w->folders[at];
	struct buf text = {0};
	size_t n = 0;
	int r = 0;

	for (size_t i = 0; i < w->nlines; i++) {
		const struct line *l = &w->lines[i];

		if (l->folder != at)
			continue;
		n += l->goes;
		if (!l->goes) {
			buf_add(&text, f->text.p + l->at, l->len);
			buf_addc(&text, '\n');
		}
	}
	if (n)
		tell(w, f, name, n);
	if (n && !w->p->dry)
		r = file_replace_from(w->folders[0].fd, f->fd, name,
				      path_in(w, f, name), NULL, buf_str(&text),
				      text.len, NULL, e);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

static int drop_kept(struct purging *w, struct folder *f, struct err *e)
{
	bool any = false;

	for (size_t i = 0; i < f->kept.n; i++) {
		const char *name = f->kept.items[i];

		if (!goes(w, name))
			continue;
		tell(w, f, name, 0);
		if (!w->p->dry && unlinkat(f->fd, name, 0) < 0)
			return err_sys(e, "cannot remove '%s/%s'", f->path,
				       name);
		any = !w->p->dry;
	}
	return any ? file_sync_dir(f->fd, path_in(w, f, NULL), e) : 0;
}

static void release(struct purging *w)
{
	for (size_t i = 0; i < w->n; i++) {
		close(w->folders[i].fd);
		free(w->folders[i].kept.items);
		buf_release(&w->folders[i].text);
	}
	free(w->folders);
	free(w->lines);
	free(w->gone.items);
	free(w->inner.items);
	table_release(&w->is_gone);
	arena_release(&w->a);
}

/* Purge the log LOG at PATH, and close it. */
static int purge_log(const struct oplog_purge *p, int log, const char *path,
		     struct err *e)
{
	struct purging w = {.p = p};
	int r = read_all(&w, log, arena_strdup(&w.a, path), e);

	if (r >= 0)
		judge_all(&w);
	/* The bytes first: while a line tells of them they can be found. */
	for (size_t i = 0; i < w.n && r >= 0; i++)
		r = drop_kept(&w, &w.folders[i], e);
	for (size_t i = 0; i < w.n && r >= 0; i++)
		r = write_lines(&w, i, e);
	release(&w);
	return r < 0 ? -1 : 0;
}

/* A log_folder_fn: purge F, unless another store that still exists wrote it. */
static int purge_other(void *ctx, const struct log_folder *f, struct err *e)
{
	int log, r;

	if (!f->proven && !f->replaced && !identity_is_gone(&f->was))
		return 0;
	r = file_open_dir(AT_FDCWD, f->path, f->path, &log, e);
	return r == 1 ? purge_log(ctx, log, f->path, e) : r;
}

int oplog_purge(struct repo *repo, const struct oplog_purge *p, struct err *e)
{
	int log, r = layout_open(repo, OPLOG_FOLDER, &log, e);

	if (r == 1)
		r = purge_log(p, log, log_folder_path(&repo->root), e);
	if (r == 0)
		r = log_folder_each_other(&repo->root, purge_other, (void *)p,
					  e);
	return r < 0 ? -1 : 0;
}
