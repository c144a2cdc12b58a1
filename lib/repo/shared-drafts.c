/* shared-drafts.c: see shared-drafts.h. */
#include "repo/shared-drafts.h"

#include "repo/gitdir.h"
#include "repo/owner.h"
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

bool shared_add_name(struct buf *out, const char *path)
{
	const size_t start = out->len;

	for (const char *p = path; *p; p++) {
		if (*p == '/' || *p == '%')
			buf_addf(out, "%%%02X", (unsigned)*p);
		else
			buf_addc(out, *p);
	}
	return out->len - start <= NAME_MAX;
}

/* Return 1 if PATH is not a link and belongs to a user who is trusted for the work
 * tree TOP, 0, or -1. */
static int is_ours(const char *path, const char *top, struct err *e)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : err_sys(e, "cannot look at '%s'", path);
	return !S_ISLNK(st.st_mode) && owner_is_trusted(st.st_uid, top);
}

/* Find the git directory that the work trees of G share, if drafts may be in it.
 * Return 1 with *COMMON, which the caller frees; 0; or -1. */
static int find_common(struct gitdir *g, char **common, struct err *e)
{
	struct buf own = {0};
	int r;

	buf_addf(&own, "%s/.git", g->top[1] ? g->top : "");
	r = is_ours(own.p, g->top, e);
	buf_release(&own);
	if (r == 1)
		r = is_ours(g->common, g->top, e);
	if (r == 1)
		r = gitdir_is_whole(g, e);
	if (r != 1)
		return r;
	*common = g->is_folder ? mem_strdup(g->common)
			       : realpath(g->common, NULL);
	return *common ? 1 : err_sys(e, "cannot look at '%s'", g->common);
}

/* Return the git directory of the work tree of G itself, which is COMMON or below
 * it; the caller frees it. Return NULL if it is not at the path that git uses. */
static char *own_of(const struct gitdir *g, const char *common)
{
	struct buf path = {0};
	struct stat a, b;
	bool is = true;

	buf_adds(&path, common);
	if (g->linked) {
		buf_addf(&path, "/worktrees/%s",
			 gitdir_worktree(g) ? gitdir_worktree(g) : "");
		is = lstat(path.p, &a) == 0 && lstat(g->dir, &b) == 0 &&
		     S_ISDIR(a.st_mode) && a.st_dev == b.st_dev &&
		     a.st_ino == b.st_ino;
	}
	if (is)
		return buf_take(&path);
	buf_release(&path);
	return NULL;
}

bool shared_find(struct root *r, const char *folder, struct buf *top)
{
	struct buf path = {0};
	struct gitdir g;
	struct err e;
	int found;

	r->asked = true;
	found = gitdir_find(&g, folder, &e);
	/* A .git that git did not write leads nowhere. */
	if (found < 0 && e.code == ERR_SYSTEM)
		r->closed = mem_strdup(e.text);
	if (found != 1)
		return false;
	if (top) {
		buf_cut(top, 0);
		buf_adds(top, g.top);
	}
	if (find_common(&g, &r->common, &e) < 0)
		r->closed = mem_strdup(e.text);
	if (g.moved)
		r->moved = mem_strdup(g.top);
	if (r->common)
		r->own = own_of(&g, r->common);
	if (r->common && gitdir_worktree(&g) && !r->worktree)
		r->worktree = mem_strdup(gitdir_worktree(&g));
	buf_addf(&path, "%s/co-cli/", r->common ? r->common : "");
	if (r->common &&
	    shared_add_name(&path,
			    r->path + (g.top[1] ? strlen(g.top) : 0) + 1)) {
		buf_adds(&path, "/drafts");
		r->shared = buf_take(&path);
	}
	buf_release(&path);
	gitdir_release(&g);
	return true;
}

/* Set the members of R about git. */
static void ask_git(struct root *r)
{
	char *folder;

	r->asked = true;
	/* One that was refused has no path. */
	if (r->scope != SCOPE_PROJECT || !r->path)
		return;
	folder = root_folder(r);
	shared_find(r, folder, NULL);
	free(folder);
}

const char *shared_path(struct root *r)
{
	if (!r->asked)
		ask_git(r);
	return r->shared;
}

void shared_warn_moved(struct root *r, const struct report *report)
{
	if (shared_path(r) || !r->moved)
		return;
	err_warn(report, ERR_NONE,
		 "the work tree '%s' was moved, so its drafts and its log are "
		 "not found: run 'git worktree repair' in it",
		 r->moved);
	free(r->moved);
	r->moved = NULL;
}

const char *shared_worktree(struct root *r)
{
	shared_path(r);
	return r->worktree;
}

int shared_open(struct root *r, bool make, int *fd, struct err *e)
{
	struct err why;
	int dir, found;

	*fd = -1;
	if (!shared_path(r))
		return r->closed && !r->skip_drafts
			       ? err_set(e, ERR_SYSTEM, "%s", r->closed)
			       : 0;
	dir = file_open(AT_FDCWD, r->common,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	if (dir < 0)
		return errno == ENOENT
			       ? 0
			       : err_sys(e, "cannot open '%s'", r->common);
	found = file_open_below(dir, r->common,
				r->shared + strlen(r->common) + 1,
				make ? root_dir_mode(r) : 0, fd, &why);
	close(dir);
	/* A link, or something that is not a directory, is not ours. */
	if (!make && found < 0 && why.code == ERR_DATA)
		return 0;
	return found < 0 ? err_take(e, &why) : found;
}

void shared_leave_closed(struct root *r)
{
	int fd;

	r->skip_drafts = true;
	if (shared_open(r, false, &fd, NULL) < 0 && errno == EACCES) {
		free(r->shared);
		r->shared = NULL;
	} else if (fd >= 0) {
		close(fd);
	}
}
