/* shared-drafts.c: see shared-drafts.h. */
#include "repo/shared-drafts.h"

#include "base/buf.h"
#include "base/mem.h"
#include "repo/gitdir.h"
#include "repo/owner.h"
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* The place of R below TOP, as shared_path() has it; false if it is too long for
 * a name. */
static bool add_place(struct buf *out, const struct root *r, const char *top)
{
	const char *p = r->path + (top[1] ? strlen(top) : 0) + 1;
	const size_t start = out->len;

	for (; *p; p++) {
		if (*p == '/' || *p == '%')
			buf_addf(out, "%%%02X", (unsigned)*p);
		else
			buf_addc(out, *p);
	}
	return out->len - start <= NAME_MAX;
}

/* True if what stands at PATH is no link and belongs to whom we believe in the
 * work tree TOP. */
static bool is_ours(const char *path, const char *top)
{
	struct stat st;

	return lstat(path, &st) == 0 && !S_ISLNK(st.st_mode) &&
	       owner_is_trusted(st.st_uid, top);
}

/* The git dir that work trees share, if drafts may stand there; yours. */
static char *common_of(const struct gitdir *g)
{
	struct buf own = {0};
	char *real = NULL;

	buf_addf(&own, "%s/.git", g->top[1] ? g->top : "");
	if (is_ours(own.p, g->top) && is_ours(g->common, g->top) &&
	    gitdir_is_whole(g))
		real = g->is_folder ? mem_strdup(g->common)
				    : realpath(g->common, NULL);
	buf_release(&own);
	return real;
}

/* Fill what R knows of the git dir. */
static void ask_git(struct root *r)
{
	struct buf path = {0};
	struct gitdir g;
	char *folder;
	int found;

	r->asked = true;
	if (r->scope != SCOPE_PROJECT)
		return;
	folder = mem_strdup(r->path);
	*strrchr(folder, '/') = '\0';
	found = gitdir_find(&g, *folder ? folder : "/", NULL);
	free(folder);
	if (found != 1)
		return;
	r->common = common_of(&g);
	if (r->common && gitdir_worktree(&g) && !r->worktree)
		r->worktree = mem_strdup(gitdir_worktree(&g));
	buf_addf(&path, "%s/co-cli/", r->common ? r->common : "");
	if (r->common && add_place(&path, r, g.top)) {
		buf_adds(&path, "/drafts");
		r->shared = buf_take(&path);
	}
	buf_release(&path);
	gitdir_release(&g);
}

const char *shared_path(struct root *r)
{
	if (!r->asked)
		ask_git(r);
	return r->shared;
}

const char *shared_worktree(struct root *r)
{
	shared_path(r);
	return r->worktree;
}

int shared_open(struct root *r, bool make, int *fd, struct err *e)
{
	const char *shared = shared_path(r), *p;
	struct err why;
	struct buf path = {0}, name = {0};
	int dir, found = 1;

	*fd = -1;
	if (!shared)
		return 0;
	dir = file_open(AT_FDCWD, r->common,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	if (dir < 0)
		return errno == ENOENT
			       ? 0
			       : err_sys(e, "cannot open '%s'", r->common);
	p = shared + strlen(r->common);
	while (found == 1 && *p) {
		const size_t len = strcspn(p + 1, "/");

		buf_cut(&name, 0);
		buf_add(&name, p + 1, len);
		p += 1 + len;
		buf_cut(&path, 0);
		buf_add(&path, shared, (size_t)(p - shared));
		*fd = -1;
		found = make ? file_make_dir(dir, name.p, path.p,
					     root_dir_mode(r), fd, NULL, e)
			     : file_open_dir(dir, name.p, path.p, fd, &why);
		/* What is a link, or no folder, is none of ours. */
		if (!make && found < 0)
			found = why.code == ERR_DATA ? 0
				: e		     ? (*e = why, -1)
						     : -1;
		if (make)
			found = found < 0 ? -1 : 1;
		close(dir);
		dir = *fd;
	}
	buf_release(&path);
	buf_release(&name);
	return found;
}

void shared_leave_closed(struct root *r)
{
	int fd;

	if (shared_open(r, false, &fd, NULL) < 0 && errno == EACCES) {
		free(r->shared);
		r->shared = NULL;
	} else if (fd >= 0) {
		close(fd);
	}
}
