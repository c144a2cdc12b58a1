/* gitdir.c: links in the path are followed, as git does. The shared directory
 * itself must not be a link.
 */
#include "repo/gitdir.h"

#include "base/buf.h"
#include "base/mem.h"
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_MAX_BYTES 65536

/* Find the nearest directory from the absolute PATH upwards that has `.git`. Return
 * 1 with *TOP, which the caller frees; 0; or -1. */
static int find_top(const char *folder, char **top, struct err *e)
{
	struct buf path = {0};
	struct stat st;
	int found = 0;

	buf_adds(&path, folder);
	for (;;) {
		const size_t len = path.len;

		buf_adds(&path, len == 1 ? ".git" : "/.git");
		if (lstat(path.p, &st) == 0)
			found = 1;
		else if (errno != ENOENT && errno != ENOTDIR)
			found = err_sys(e, "cannot look for '%s'", path.p);
		buf_cut(&path, len);
		if (found || len <= 1)
			break;
		while (path.len > 1 && path.p[path.len - 1] != '/')
			buf_cut(&path, path.len - 1);
		if (path.len > 1)
			buf_cut(&path, path.len - 1);
	}
	if (found == 1)
		*top = buf_take(&path);
	buf_release(&path);
	return found;
}

/* Read the one-line file NAME in the directory GIT, which may begin with PREFIX,
 * and set GIT to the directory that it names. Return 1; 0, with GIT unchanged, if
 * there is no such file; or -1. */
static int follow(struct buf *git, const char *name, const char *prefix,
		  struct err *e)
{
	const size_t len = git->len, skip = strlen(prefix);
	struct buf text = {0};
	struct stat st;
	int r;

	buf_addf(git, len == 1 ? "%s" : "/%s", name);
	r = stat(git->p, &st);
	if (r < 0 && errno != ENOENT)
		return err_sys(e, "cannot look at '%s'", git->p);
	if (r < 0 || !S_ISREG(st.st_mode)) {
		buf_cut(git, len);
		return 0;
	}
	r = file_read_path(git->p, LINE_MAX_BYTES, &text, e);
	buf_cut(git, len);
	if (r < 0)
		goto out;
	while (text.len && strchr("\r\n", text.p[text.len - 1]))
		buf_cut(&text, text.len - 1);
	if (text.len <= skip || memcmp(text.p, prefix, skip) != 0) {
		r = err_set(e, ERR_DATA, "cannot understand '%s/%s'", git->p,
			    name);
		goto out;
	}
	if (text.p[skip] == '/')
		buf_cut(git, 0);
	else
		buf_addc(git, '/');
	buf_adds(git, text.p + skip);
	r = 1;
out:
	buf_release(&text);
	return r < 0 ? -1 : r;
}

int gitdir_find(struct gitdir *g, const char *folder, struct err *e)
{
	struct buf git = {0};
	int r;

	*g = (struct gitdir){0};
	r = find_top(folder, &g->top, e);
	if (r != 1)
		return r;
	buf_adds(&git, g->top);
	r = follow(&git, ".git", "gitdir: ", e);
	if (r < 0)
		goto out;
	g->is_folder = r == 0;
	if (g->is_folder)
		buf_adds(&git, git.len == 1 ? ".git" : "/.git");
	g->dir = mem_strdup(git.p);
	r = follow(&git, "commondir", "", e);
	if (r < 0)
		goto out;
	g->linked = r == 1;
	g->common = mem_strdup(git.p);
	r = 1;
out:
	buf_release(&git);
	if (r < 0)
		gitdir_release(g);
	return r;
}

void gitdir_release(struct gitdir *g)
{
	free(g->top);
	free(g->dir);
	free(g->common);
	*g = (struct gitdir){0};
}

static bool has(const char *folder, const char *name)
{
	struct buf path = {0};
	bool is;

	buf_addf(&path, "%s/%s", folder, name);
	is = access(path.p, F_OK) == 0;
	buf_release(&path);
	return is;
}

/* True if the git dir of a linked work tree names the `.git` that led to it. */
static bool is_known(const struct gitdir *g)
{
	struct buf path = {0}, own = {0};
	struct stat a, b;
	bool is;

	buf_adds(&path, g->dir);
	buf_addf(&own, "%s/.git", g->top);
	is = !g->is_folder && follow(&path, "gitdir", "", NULL) == 1 &&
	     stat(path.p, &a) == 0 && stat(own.p, &b) == 0 &&
	     a.st_dev == b.st_dev && a.st_ino == b.st_ino;
	buf_release(&path);
	buf_release(&own);
	return is;
}

bool gitdir_is_whole(const struct gitdir *g)
{
	struct stat st;

	return lstat(g->common, &st) == 0 && S_ISDIR(st.st_mode) &&
	       has(g->common, "HEAD") && has(g->common, "objects") &&
	       has(g->common, "refs") && (!g->linked || is_known(g));
}

const char *gitdir_worktree(const struct gitdir *g)
{
	const char *slash = strrchr(g->dir, '/');

	return g->linked && slash && slash[1] ? slash + 1 : NULL;
}

char *gitdir_main(const struct gitdir *g)
{
	char *real = g->linked ? realpath(g->common, NULL) : NULL;
	const size_t len = real ? strlen(real) : 0;

	if (len <= strlen("/.git") ||
	    strcmp(real + len - strlen("/.git"), "/.git") != 0) {
		free(real);
		return NULL;
	}
	real[len - strlen("/.git")] = '\0';
	return real;
}
