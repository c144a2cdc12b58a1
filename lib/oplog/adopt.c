/* adopt.c: the new folder appears with all its files, or not at all.  The old files
 * are removed after that.  A process that is killed in between leaves both, and the
 * old folder is not used.
 */
#include "oplog/adopt.h"

#include "oplog/lines.h"
#include "oplog/oplog.h"
#include "sys/new-folder.h"

#include <fcntl.h>
#include <unistd.h>

#define PROOF_SECONDS 60 /* from the last line to the end of its operation */

/* The old log: its folder and what is proven of it. */
struct old {
	struct repo *repo;
	struct arena a;
	int fd;
	const char *path;
	const char *drafts; /* the directory of drafts next to it, or NULL */
	bool trusted;	    /* no clone can write there: all is ours */
	struct strings segments; /* by name */
	bool note;		 /* of an unfinished operation, too */
};

/* True if the file of lines NAME of DIR was last written when it says. */
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

/* True if REPO has no log where it is now. */
static bool has_none(struct repo *repo)
{
	int fd;
	const int r = layout_open(repo, OPLOG_FOLDER "/" OPLOG_NOW, &fd, NULL);

	if (r == 1)
		close(fd);
	return r == 0;
}

/* See what of O, which is open, is ours. */
static enum adopt look_inside(struct old *o)
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
	o->drafts = f->drafts ? arena_strdup(&o->a, f->drafts) : NULL;
	if (look_inside(o) == ADOPT_OURS)
		return 1;
	close(o->fd);
	o->fd = -1;
	return 0;
}

/* Look for a log that the store had at another place, if it has none now. */
static enum adopt look_elsewhere(struct old *o, struct repo *repo)
{
	return has_none(repo) && log_folder_each_other(&repo->root, open_proven,
						       o, NULL) == 1
		       ? ADOPT_OURS
		       : ADOPT_NONE;
}

/* Look at the old log of REPO; release O with release() in any case. */
static enum adopt look(struct old *o, struct repo *repo)
{
	*o = (struct old){.repo = repo, .fd = -1};
	if (repo->fd < 0)
		return ADOPT_NONE;
	if (faccessat(repo->fd, LAYOUT_OLD_LOG, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return look_elsewhere(o, repo);
	/* Where the index cannot be read nobody knows. */
	if (layout_is_tracked(repo, LAYOUT_OLD_LOG, NULL) != 0)
		return ADOPT_TRACKED;
	o->path = layout_path(repo, LAYOUT_OLD_LOG, &o->a);
	if (!has_none(repo) ||
	    (repo->root.scope == SCOPE_PROJECT &&
	     !known_projects_has(&repo->root, true)) ||
	    layout_open(repo, LAYOUT_OLD_LOG, &o->fd, NULL) != 1)
		return ADOPT_UNUSED;
	return look_inside(o);
}

static void release(struct old *o)
{
	if (o->fd >= 0)
		close(o->fd);
	free(o->segments.items);
	arena_release(&o->a);
}

enum adopt adopt_judge(struct repo *repo)
{
	struct old o;
	const enum adopt is = look(&o, repo);

	release(&o);
	return is;
}

/* A walk over one segment, whose files are copied, or then removed. */
struct copying {
	struct new_folder *to; /* NULL: remove */
	const char *segment;
	const char *above; /* the path of the old log */
	int dir;
	struct err *e;
};

static int copy_or_remove(void *ctx, const char *name, enum file_kind kind)
{
	const struct copying *c = ctx;
	struct buf text = {0}, path = {0};
	size_t above;
	int r;

	if (kind != FILE_REGULAR)
		return 0;
	if (!c->to) {
		unlinkat(c->dir, name, 0);
		return 0;
	}
	buf_addf(&path, "%s/", c->above);
	above = path.len;
	buf_addf(&path, "%s/%s", c->segment, name);
	r = file_read(c->dir, name, path.p,
		      strcmp(name, OPLOG_OPS) ? LAYOUT_ANY_MAX
					      : OPLOG_LINES_MAX,
		      &text, c->e);
	if (r == 1)
		r = new_folder_put(c->to, path.p + above, buf_str(&text),
				   text.len, c->e);
	buf_release(&text);
	buf_release(&path);
	return r < 0 ? -1 : 0;
}

/* Copy what is proven of O to TO, or remove it where that is NULL: 0, -1. */
static int each_file(struct old *o, struct new_folder *to, struct err *e)
{
	struct copying c = {.to = to, .above = o->path, .e = e};
	int r = 0;

	for (size_t i = 0; i < o->segments.n && !r; i++) {
		c.segment = o->segments.items[i];
		if (file_open_dir(o->fd, c.segment, o->path, &c.dir, e) != 1)
			return -1;
		r = file_walk(c.dir, o->path, copy_or_remove, &c, e);
		close(c.dir);
		if (!to)
			unlinkat(o->fd, c.segment, AT_REMOVEDIR);
	}
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

/* A move of drafts to drafts/ of the store. */
struct draft_move {
	int from, to;
	const char *path; /* of FROM */
};

static int move_draft(void *ctx, const char *name, enum file_kind kind)
{
	const struct draft_move *b = ctx;
	struct buf text = {0};

	if (kind == FILE_REGULAR && layout_is_memory(name) &&
	    file_read(b->from, name, b->path, LAYOUT_FILE_MAX, &text, NULL) ==
		    1 &&
	    file_create(b->to, name, b->path, 0666, buf_str(&text), text.len,
			NULL) == 1)
		unlinkat(b->from, name, 0);
	buf_release(&text);
	return 0;
}

/* Move the drafts next to the old log to drafts/ of the store, from where the next
 * writer moves them to their present place.  Drafts that cannot be moved stay. */
static void move_drafts(const struct old *o)
{
	struct draft_move b = {.path = o->drafts};

	if (!o->drafts ||
	    file_open_dir(AT_FDCWD, o->drafts, o->drafts, &b.from, NULL) != 1)
		return;
	if (layout_make(o->repo, "drafts", &b.to, NULL) == 0) {
		file_walk(b.from, o->drafts, move_draft, &b, NULL);
		close(b.to);
	}
	close(b.from);
	rmdir(o->drafts);
}

/* Remove the old folder, unless something in it is not ours. */
static void remove_old(struct old *o)
{
	each_file(o, NULL, NULL);
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

	/* An empty one has the right mode, and what is new takes its place. */
	if (log_folder_open(&o->repo->root, true, &fd, e) < 0)
		return -1;
	close(fd);
	r = new_folder_begin(&to, path, e);
	if (r == 0)
		return err_set(e, ERR_SYSTEM, "'%s' is in the way", path);
	if (r < 0)
		return -1;
	r = each_file(o, &to, e);
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

	switch (look(&o, repo)) {
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
	release(&o);
	return r;
}
