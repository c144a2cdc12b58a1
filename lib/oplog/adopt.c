/* adopt.c: the new directory appears with all its files, or not at all. The old files
 * are removed after that. If the process is killed in between, both exist, and the old
 * directory is not used.
 */
#include "oplog/adopt.h"

#include "oplog/lines-json.h"
#include "oplog/oplog.h"
#include "sys/new-folder.h"

#include <fcntl.h>
#include <unistd.h>

#define PROOF_SECONDS 60 /* from the last line to the end of its operation */

/* An old log and its proven files. */
struct old {
	struct repo *repo;
	struct arena a;
	int fd;
	const char *path;
	const char *drafts; /* the directory of drafts next to it, or NULL */
	bool trusted;	    /* no clone can write there: all files are proven */
	struct strings segments; /* the names of proven ones */
	bool note;		 /* OPLOG_NOTE is proven */
};

/* Return true if the file of lines NAME of DIR was last written at the time of its last
 * line. */
static bool is_proven(int dir, const char *name)
{
	struct arena a = {0};
	struct buf text = {0};
	const struct oplog_op *ops;
	struct instant at;
	struct stat st;
	size_t n = 0;
	bool is = false;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    file_read(dir, name, name, OPLOG_LINES_MAX, &text, NULL) == 1) {
		ops = lines_parse(&text, OPLOG_NOW, &a, &n);
		is = n &&
		     instant_parse(ops[n - 1].at, strlen(ops[n - 1].at), &at) &&
		     at.sec - 2 <= st.st_mtime &&
		     st.st_mtime <= at.sec + PROOF_SECONDS;
	}
	buf_release(&text);
	arena_release(&a);
	return is;
}

static void add_if_proven(struct old *o, const char *name)
{
	int dir;

	if (file_open_dir(o->fd, name, name, &dir, NULL) != 1)
		return;
	if (o->trusted || is_proven(dir, OPLOG_OPS))
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

/* Find the proven files of O, whose directory is open. */
static enum adopt find_proven(struct old *o)
{
	struct strings names = {0};
	struct stat st;

	if (oplog_segments(o->fd, o->path, &names, &o->a, NULL) < 0)
		return ADOPT_UNUSED;
	for (size_t i = 0; i < names.n; i++)
		add_if_proven(o, names.items[i]);
	free(names.items);
	add_if_proven(o, OPLOG_NOW);
	if (o->trusted)
		o->note = fstatat(o->fd, OPLOG_NOTE, &st,
				  AT_SYMLINK_NOFOLLOW) == 0;
	else
		o->note = is_proven(o->fd, OPLOG_NOTE);
	return o->segments.n ? ADOPT_OURS : ADOPT_UNUSED;
}

/* A log_folder_fn: open F as the old log, if it is proven and not empty. */
static int open_proven(void *ctx, const struct log_folder *f, struct err *e)
{
	struct old *o = ctx;

	(void)e;
	if (!f->proven ||
	    file_open_dir(AT_FDCWD, f->path, f->path, &o->fd, NULL) != 1)
		return 0;
	o->trusted = true;
	o->path = arena_strdup(&o->a, f->path);
	o->drafts = arena_strdup(&o->a, f->drafts);
	if (find_proven(o) == ADOPT_OURS)
		return 1;
	close(o->fd);
	o->fd = -1;
	return 0;
}

/* Open the log that the store had in another directory, if it has none now. */
static enum adopt find_in_other_place(struct old *o, struct repo *repo)
{
	return has_none(repo) && log_folder_each_other(&repo->root, open_proven,
						       o, NULL) == 1
		       ? ADOPT_OURS
		       : ADOPT_NONE;
}

/* Find and open the old log of REPO. The caller calls release_old() in any case. */
static enum adopt find_old(struct old *o, struct repo *repo)
{
	*o = (struct old){.repo = repo, .fd = -1};
	if (repo->fd < 0)
		return ADOPT_NONE;
	if (faccessat(repo->fd, LAYOUT_OLD_LOG, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return find_in_other_place(o, repo);
	/* An unreadable index counts as one that tracks the log. */
	if (layout_is_tracked(repo, LAYOUT_OLD_LOG, NULL) != 0)
		return ADOPT_TRACKED;
	o->path = layout_path(repo, LAYOUT_OLD_LOG, &o->a);
	if (!has_none(repo) ||
	    (repo->root.scope == SCOPE_PROJECT &&
	     !known_projects_has(&repo->root, true)) ||
	    layout_open(repo, LAYOUT_OLD_LOG, &o->fd, NULL) != 1)
		return ADOPT_UNUSED;
	return find_proven(o);
}

static void release_old(struct old *o)
{
	file_close(o->fd);
	free(o->segments.items);
	arena_release(&o->a);
}

enum adopt adopt_judge(struct repo *repo)
{
	struct old o;
	const enum adopt is = find_old(&o, repo);

	release_old(&o);
	return is;
}

/* Copy the file NAME of the directory SEGMENT, open as DIR, of O to TO. */
static int copy_file(struct old *o, int dir, const char *segment,
		     const char *name, struct new_folder *to, struct err *e)
{
	const char *below = arena_printf(&o->a, "%s/%s", segment, name);
	struct buf text = {0};
	int r = file_read(
		dir, name, arena_printf(&o->a, "%s/%s", o->path, below),
		strcmp(name, OPLOG_OPS) ? LAYOUT_ANY_MAX : OPLOG_LINES_MAX,
		&text, e);

	if (r == 1)
		r = new_folder_put(to, below, buf_str(&text), text.len, e);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* Copy the files of the directory SEGMENT of O to TO, or remove them if TO is NULL. */
static int copy_or_remove(struct old *o, const char *segment,
			  struct new_folder *to, struct err *e)
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

/* Copy the proven files of O to TO, or remove them if TO is NULL. Return 0 or -1. */
static int copy_or_remove_all(struct old *o, struct new_folder *to,
			      struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < o->segments.n && !r; i++)
		r = copy_or_remove(o, o->segments.items[i], to, e);
	if (!r && o->note && !to) {
		unlinkat(o->fd, OPLOG_NOTE, 0);
	} else if (!r && o->note) {
		struct buf text = {0};

		r = file_read(o->fd, OPLOG_NOTE, o->path, OPLOG_LINES_MAX,
			      &text, e);
		if (r == 1)
			r = new_folder_put(to, OPLOG_NOTE, buf_str(&text),
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

/* Remove the old directory, unless it has files that are not proven. */
static void remove_old(struct old *o)
{
	copy_or_remove_all(o, NULL, NULL);
	if (o->trusted) {
		unlinkat(o->fd, LOG_FOLDER_STORE, 0);
		rmdir(o->path);
		return;
	}
	unlinkat(o->fd, ".gitignore", 0);
	if (unlinkat(o->repo->fd, LAYOUT_OLD_LOG, AT_REMOVEDIR) == 0)
		file_sync(o->repo->fd);
}

static int move_ours(struct old *o, struct err *e)
{
	const char *path = log_folder_path(&o->repo->root);
	struct new_folder to = {0};
	struct buf store = {0};
	int fd, r;

	/* Create an empty directory with the right mode; the new one replaces it. */
	if (log_folder_open(&o->repo->root, true, &fd, e) < 0)
		return -1;
	close(fd);
	r = new_folder_begin(&to, path, e);
	if (r == 0)
		return err_set(e, ERR_SYSTEM, "'%s' already exists", path);
	if (r < 0)
		return -1;
	r = copy_or_remove_all(o, &to, e);
	if (!r && o->repo->root.scope == SCOPE_PROJECT)
		r = log_folder_add_store(&store, &o->repo->root, e);
	if (!r && store.len)
		r = new_folder_put(&to, LOG_FOLDER_STORE, store.p, store.len,
				   e);
	buf_release(&store);
	if (r < 0)
		new_folder_drop(&to);
	else
		r = new_folder_finish(&to, e);
	if (r < 0)
		return -1;
	move_drafts(o);
	remove_old(o);
	o->repo->root.log_is = 0;
	return 1;
}

int adopt_old(struct repo *repo, struct err *e)
{
	struct old o;
	int r = 0;

	switch (find_old(&o, repo)) {
	case ADOPT_OURS:
		r = move_ours(&o, e);
		break;
	case ADOPT_TRACKED:
		r = err_set(e, ERR_DATA,
			    "'%s/" LAYOUT_OLD_LOG "' is not believed: git "
			    "tracks it, so it may have come with a clone",
			    repo->path);
		break;
	case ADOPT_NONE:
	case ADOPT_UNUSED:
		break;
	}
	release_old(&o);
	return r;
}
