/* oplog-purge.c: all lines are read first, since a line may give another name for the
 * file of any other line. Names and sums to remove are marked until no line adds one. A
 * context or a list of items contains many things, so it is not purged as a file: it
 * loses only the lines with a sum that is removed.
 */
#include "oplog/oplog.h"

#include "base/table.h"
#include "oplog/lines-json.h"

#include <fcntl.h>
#include <unistd.h>

/* A file that is not one of lines. */
struct kept {
	const char *name;
	const char *unread; /* why its text cannot be read, or NULL */
};

/* A segment, or the directory of the log itself: a file of lines, and contents whose
 * file names are their sums. */
struct folder {
	int fd;
	const char *path; /* absolute */
	struct buf text;  /* the file of lines */
	struct kept *kept;
	size_t nkept, cap;
};

struct line {
	size_t folder, at, len;
	struct oplog_change c; /* with PATH NULL if it is not a valid line */
	bool goes;	       /* it is removed */
};

struct purging {
	const struct oplog_purge *p;
	struct arena a;
	struct folder *folders; /* the first is the log itself */
	size_t n, cap;
	struct line *lines;
	size_t nlines, room;
	struct strings gone;  /* the names and sums to remove */
	struct table is_gone; /* finds these */
};

/* Return the name under which the file at PATH is purged: its file name. An article may
 * have the name of any other file, so its name begins with its directory. */
static const char *name_of(const char *path)
{
	static const char articles[] = LAYOUT_ARTICLES "/";
	const size_t len = strlen(articles);
	const char *name = file_name_of(path);

	return (size_t)(name - path) >= len &&
			       !strncmp(name - len, articles, len)
		       ? name - len
		       : name;
}

static bool is_marked(const struct purging *w, const char *name)
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

/* Mark NAME, a name or a sum, to be removed. NULL is ignored. */
static void mark_name(struct purging *w, const char *name)
{
	if (!name || is_marked(w, name))
		return;
	table_put(&w->is_gone, name, strlen(name), 0, w->gone.n);
	strings_add(&w->gone, arena_strdup(&w->a, name));
}

static bool has_purged_text(const struct purging *w, const char *name,
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
	l.goes = has_purged_text(w, "", &text);
	for (size_t i = 0; i < w->p->n && !l.c.path; i++)
		l.goes = l.goes || strstr(text.p, name_of(w->p->paths[i]));
	*MEM_ADD(w->lines, w->nlines, w->room) = l;
	buf_release(&text);
}

static void add_lines(struct purging *w, size_t folder)
{
	const struct buf *text = &w->folders[folder].text;

	const char *line;
	size_t at = 0, len;

	while (buf_next_line(text, &at, &line, &len)) {
		if (len)
			add_line(w, folder, (size_t)(line - text->p), len);
	}
}

static const char *path_in(struct purging *w, const struct folder *f,
			   const char *name)
{
	return arena_printf(&w->a, "%s/%s", f->path, name);
}

/* Add the file NAME of F, which is not the one of lines. */
static void add_kept(struct purging *w, struct folder *f, const char *name)
{
	struct kept *kept = MEM_ADD(f->kept, f->nkept, f->cap);
	struct buf text = {0};
	struct err e;
	int r = 0;

	*kept = (struct kept){.name = name};
	/* A temporary file of a killed writer. */
	if (!strncmp(name, FILE_TEMP, strlen(FILE_TEMP)))
		mark_name(w, name);
	else if (w->p->holds)
		r = file_read(f->fd, name, path_in(w, f, name),
			      LAYOUT_FILE_MAX * 64, &text, &e);
	if (r < 0)
		kept->unread = arena_strdup(&w->a, e.text);
	else if (r > 0 && has_purged_text(w, name, &text))
		mark_name(w, name);
	buf_release(&text);
}

/* Read the directory FD, whose file of lines is LINES, and set *ALL to its entries. PATH
 * is in W's arena. FD then belongs to W. */
static int read_folder(struct purging *w, int fd, const char *path,
		       const char *lines, struct file_list *all, struct err *e)
{
	struct folder *f = MEM_ADD(w->folders, w->n, w->cap);

	*f = (struct folder){.fd = fd, .path = path};
	if (file_read(fd, lines, path_in(w, f, lines), OPLOG_LINES_MAX,
		      &f->text, e) < 0)
		return -1;
	add_lines(w, w->n - 1);
	if (file_list(fd, path, &w->a, all, e) < 0)
		return -1;
	for (size_t i = 0; i < all->n; i++) {
		if (all->items[i].kind == FILE_REGULAR &&
		    !is_lines(all->items[i].name))
			add_kept(w, f, all->items[i].name);
	}
	return 0;
}

static int read_all(struct purging *w, int log, const char *path, struct err *e)
{
	struct file_list all = {0}, inner;
	int fd, r = read_folder(w, log, path, OPLOG_NOTE, &all, e);

	for (size_t i = 0; i < all.n && !r; i++) {
		const char *name = all.items[i].name;
		const char *at = arena_printf(&w->a, "%s/%s", path, name);

		if (all.items[i].kind != FILE_FOLDER)
			continue;
		r = file_open_dir(log, name, at, &fd, e);
		if (r == 1)
			r = read_folder(w, fd, at, OPLOG_OPS, &inner, e);
	}
	return r;
}

/* Return true if the file at PATH is one memory, draft or article; false for
 * settings.json and files directly in knowledge/, as a context, which contain many
 * things. */
static bool is_of_one(const char *path)
{
	return strchr(path, '/') != strrchr(path, '/');
}

/* Mark L, and its names and sums, to be removed if one of them is marked. AGAIN: a line
 * that is marked already needs no second look. Return true if L is marked in this
 * call. */
static bool mark_line(struct purging *w, struct line *l, bool again)
{
	const struct oplog_change *c = &l->c;
	const char *paths[] = {c->path, c->trash, c->from};
	bool named = false;

	if (!c->path || (l->goes && again))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		named = named || (paths[i] && is_marked(w, name_of(paths[i])));
	if (!named && !l->goes && !is_marked(w, c->before) &&
	    !is_marked(w, c->after))
		return false;
	l->goes = true;
	if (!named && !is_of_one(c->path))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		mark_name(w, paths[i] ? name_of(paths[i]) : NULL);
	mark_name(w, c->before);
	mark_name(w, c->after);
	return true;
}

/* Mark all names, sums and lines to remove. */
static void mark_all(struct purging *w)
{
	bool more, again = false;

	for (size_t i = 0; i < w->p->n; i++)
		mark_name(w, name_of(w->p->paths[i]));
	do {
		more = false;
		for (size_t i = 0; i < w->nlines; i++)
			more = mark_line(w, &w->lines[i], again) || more;
		again = true;
	} while (more);
}

/* Report that the file NAME of F is removed, or that number of LINES of it. */
static void report_gone(struct purging *w, const struct folder *f,
			const char *name, size_t lines)
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

/* Replace the file of lines of the directory AT by one with the lines that stay. */
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
		report_gone(w, f, name, n);
	if (n && !w->p->dry)
		r = file_replace_from(w->folders[0].fd, f->fd, name,
				      path_in(w, f, name), NULL, buf_str(&text),
				      text.len, NULL, e);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* Remove the marked files of F, and report the others that cannot be read. */
static int drop_kept(struct purging *w, struct folder *f, struct err *e)
{
	bool any = false;

	for (size_t i = 0; i < f->nkept; i++) {
		const char *name = f->kept[i].name;

		if (!is_marked(w, name)) {
			if (f->kept[i].unread && w->p->missed)
				w->p->missed(w->p->ctx, f->kept[i].unread);
			continue;
		}
		report_gone(w, f, name, 0);
		if (!w->p->dry && unlinkat(f->fd, name, 0) < 0)
			return err_sys(e, "cannot remove '%s/%s'", f->path,
				       name);
		any = !w->p->dry;
	}
	return any ? file_sync_dir(f->fd, f->path, e) : 0;
}

static void release_purge(struct purging *w)
{
	for (size_t i = 0; i < w->n; i++) {
		close(w->folders[i].fd);
		free(w->folders[i].kept);
		buf_release(&w->folders[i].text);
	}
	free(w->folders);
	free(w->lines);
	free(w->gone.items);
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
		mark_all(&w);
	/* The contents are first: after a kill, the lines still lead to the others. */
	for (size_t i = 0; i < w.n && r >= 0; i++)
		r = drop_kept(&w, &w.folders[i], e);
	for (size_t i = 0; i < w.n && r >= 0; i++)
		r = write_lines(&w, i, e);
	release_purge(&w);
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
