/* adopt.c: the new directory appears with all its files, or not at all. The old files
 * are removed after that. If the process is killed in between, both exist, and the old
 * directory is not used.
 */
#include "oplog/oplog.h"

#include "sys/folder.h"

#include <fcntl.h>
#include <unistd.h>

/* A log in another directory. */
struct old {
	struct repo *repo;
	struct arena a;
	int fd; /* -1: there is none */
	const char *path;
	const char *drafts; /* the directory of drafts next to it, or NULL */
	struct strings segments; /* the names of its directories */
};

static void add_if_there(struct old *o, const char *name)
{
	int dir;

	if (file_open_dir(o->fd, name, name, &dir, NULL) != 1)
		return;
	strings_add(&o->segments, name);
	close(dir);
}

/* Return true if REPO has no log in the present directory. */
static bool has_none(struct repo *repo)
{
	int fd;
	const int r = layout_open(repo, OPLOG_FOLDER "/" OPLOG_NOW, &fd, NULL);

	if (r == 1)
		close(fd);
	return r == 0;
}

/* List the directories of O, which is open. Return true if there are any. */
static bool list_segments(struct old *o)
{
	struct strings names = {0};

	if (oplog_segments(o->fd, o->path, &names, &o->a, NULL) < 0)
		return false;
	for (size_t i = 0; i < names.n; i++)
		add_if_there(o, names.items[i]);
	free(names.items);
	add_if_there(o, OPLOG_NOW);
	return o->segments.n > 0;
}

/* A log_folder_fn: open F as the old log, if it is proven and not empty. */
static int open_proven(void *ctx, const struct log_folder *f, struct err *e)
{
	struct old *o = ctx;

	(void)e;
	if (!f->proven ||
	    file_open_dir(AT_FDCWD, f->path, f->path, &o->fd, NULL) != 1)
		return 0;
	o->path = arena_strdup(&o->a, f->path);
	o->drafts = arena_strdup(&o->a, f->drafts);
	if (list_segments(o))
		return 1;
	close(o->fd);
	o->fd = -1;
	return 0;
}

/* Find and open the log that the store of REPO had in another directory, if it has none
 * now. Return true if there is one. The caller calls release_old() in any case. */
static bool find_old(struct old *o, struct repo *repo)
{
	*o = (struct old){.repo = repo, .fd = -1};
	return repo->fd >= 0 && has_none(repo) &&
	       log_folder_each_other(&repo->root, open_proven, o, NULL) == 1;
}

static void release_old(struct old *o)
{
	file_close(o->fd);
	free(o->segments.items);
	arena_release(&o->a);
}

bool oplog_may_adopt(struct repo *repo)
{
	struct old o;
	const bool is = find_old(&o, repo);

	release_old(&o);
	return is;
}

/* Copy the file NAME of the directory SEGMENT, open as DIR, of O to TO. */
static int copy_file(struct old *o, int dir, const char *segment,
		     const char *name, struct folder_new *to, struct err *e)
{
	const char *below = arena_printf(&o->a, "%s/%s", segment, name);
	struct buf text = {0};
	int r = file_read(
		dir, name, arena_printf(&o->a, "%s/%s", o->path, below),
		strcmp(name, OPLOG_OPS) ? LAYOUT_ANY_MAX : OPLOG_LINES_MAX,
		&text, e);

	if (r == 1)
		r = folder_new_put(to, below, buf_str(&text), text.len, e);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* Copy the files of the directory SEGMENT of O to TO, or remove them if TO is NULL. */
static int copy_or_remove(struct old *o, const char *segment,
			  struct folder_new *to, struct err *e)
{
	struct file_list in;
	int dir, r = file_open_dir(o->fd, segment, o->path, &dir, e);

	if (r != 1)
		return r;
	r = file_list(dir, o->path, &o->a, &in, e);
	for (size_t i = 0; i < in.n && !r; i++) {
		if (in.items[i].kind == FILE_REGULAR && to)
			r = copy_file(o, dir, segment, in.items[i].name, to, e);
		else if (in.items[i].kind == FILE_REGULAR)
			unlinkat(dir, in.items[i].name, 0);
	}
	close(dir);
	if (!to)
		unlinkat(o->fd, segment, AT_REMOVEDIR);
	return r;
}

/* Copy the files of O to TO, or remove them if TO is NULL. Return 0 or -1. */
static int copy_or_remove_all(struct old *o, struct folder_new *to,
			      struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < o->segments.n && !r; i++)
		r = copy_or_remove(o, o->segments.items[i], to, e);
	if (!r && !to) {
		unlinkat(o->fd, OPLOG_NOTE, 0);
	} else if (!r) {
		struct buf text = {0};

		r = file_read(o->fd, OPLOG_NOTE, o->path, OPLOG_NOTE_MAX, &text,
			      e);
		if (r == 1)
			r = folder_new_put(to, OPLOG_NOTE, buf_str(&text),
					   text.len, e);
		buf_release(&text);
	}
	return r < 0 ? -1 : 0;
}

/* Move the draft NAME from the directory FROM, at PATH, to TO. */
static void move_draft(int from, int to, const char *name, const char *path)
{
	struct buf text = {0};

	if (file_read(from, name, path, LAYOUT_FILE_MAX, &text, NULL) == 1 &&
	    file_create(to, name, path, 0666, buf_str(&text), text.len, NULL) ==
		    1)
		unlinkat(from, name, 0);
	buf_release(&text);
}

/* Move the drafts next to the old log to drafts/ of the store. The next writer moves
 * them to their present directory. Drafts that cannot be moved stay. */
static void move_drafts(struct old *o)
{
	struct file_list in;
	int from, to;

	if (!o->drafts ||
	    file_open_dir(AT_FDCWD, o->drafts, o->drafts, &from, NULL) != 1)
		return;
	if (layout_make(o->repo, "drafts", &to, NULL) == 0) {
		file_list(from, o->drafts, &o->a, &in, NULL);
		for (size_t i = 0; i < in.n; i++) {
			if (in.items[i].kind == FILE_REGULAR &&
			    layout_is_memory(in.items[i].name))
				move_draft(from, to, in.items[i].name,
					   o->drafts);
		}
		close(to);
	}
	close(from);
	rmdir(o->drafts);
}

/* Remove the old directory, unless it has other files. */
static void remove_old(struct old *o)
{
	copy_or_remove_all(o, NULL, NULL);
	unlinkat(o->fd, LOG_FOLDER_STORE, 0);
	rmdir(o->path);
}

static int move_ours(struct old *o, struct err *e)
{
	const char *path = log_folder_path(&o->repo->root);
	struct folder_new to = {0};
	struct buf store = {0};
	int fd, r;

	/* Create an empty directory with the right mode; the new one replaces it. */
	if (log_folder_open(&o->repo->root, true, &fd, e) < 0)
		return -1;
	close(fd);
	r = folder_new_begin(&to, path, e);
	if (r == 0)
		return err_set(e, ERR_SYSTEM, "'%s' already exists", path);
	if (r < 0)
		return -1;
	r = copy_or_remove_all(o, &to, e);
	if (!r && o->repo->root.scope == SCOPE_PROJECT)
		r = log_folder_add_store(&store, &o->repo->root, e);
	if (!r && store.len)
		r = folder_new_put(&to, LOG_FOLDER_STORE, store.p, store.len,
				   e);
	buf_release(&store);
	if (r < 0)
		folder_new_drop(&to);
	else
		r = folder_new_finish(&to, e);
	if (r < 0)
		return -1;
	move_drafts(o);
	remove_old(o);
	o->repo->root.log_is = 0;
	return 1;
}

int oplog_adopt(struct repo *repo, struct err *e)
{
	struct old o;
	const int r = find_old(&o, repo) ? move_ours(&o, e) : 0;

	release_old(&o);
	return r;
}
