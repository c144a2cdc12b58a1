/* gitdir.c: links in the path are followed, as git does. The shared directory
 * itself must not be a link.
 */
#include "repo/gitdir.h"

#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

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
static int follow_file(struct buf *git, const char *name, const char *prefix,
		       struct err *e)
{
	const size_t len = git->len, skip = strlen(prefix);
	struct buf text = {0};
	struct stat st;
	int r;

	buf_addf(git, len == 1 ? "%s" : "/%s", name);
	r = stat(git->p, &st);
	if (r < 0 && errno != ENOENT && errno != ENOTDIR)
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
	r = follow_file(&git, ".git", "gitdir: ", e);
	if (r < 0)
		goto out;
	g->is_folder = r == 0;
	if (g->is_folder)
		buf_adds(&git, git.len == 1 ? ".git" : "/.git");
	g->dir = mem_strdup(git.p);
	r = follow_file(&git, "commondir", "", e);
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

/* Return 1 if FOLDER has an entry NAME, 0, or -1. */
static int has_file(const char *folder, const char *name, struct err *e)
{
	struct buf path = {0};
	int r;

	buf_addf(&path, "%s/%s", folder, name);
	r = file_exists(AT_FDCWD, path.p, path.p, e);
	buf_release(&path);
	return r;
}

/* Return 1 if the git directory of the linked work tree G names the `.git` from which
 * it was found, 0, or -1. Set G->moved. */
static int is_known(struct gitdir *g, struct err *e)
{
	struct buf path = {0}, own = {0};
	struct err why;
	int r = 0;

	buf_adds(&path, g->dir);
	buf_addf(&own, "%s/.git", g->top);
	if (!g->is_folder)
		r = follow_file(&path, "gitdir", "", &why);
	if (r == 1) {
		g->moved = file_is_gone(AT_FDCWD, path.p, false);
		r = file_is_same(path.p, own.p);
	} else if (r < 0 && why.code == ERR_DATA) {
		r = 0;
	} else if (r < 0) {
		err_take(e, &why);
	}
	buf_release(&path);
	buf_release(&own);
	return r;
}

int gitdir_is_whole(struct gitdir *g, struct err *e)
{
	static const char *const parts[] = {"HEAD", "objects", "refs"};
	struct stat st;
	int r = 1;

	if (lstat(g->common, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : err_sys(e, "cannot look at '%s'", g->common);
	if (!S_ISDIR(st.st_mode))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(parts) && r == 1; i++)
		r = has_file(g->common, parts[i], e);
	return r == 1 && g->linked ? is_known(g, e) : r;
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
