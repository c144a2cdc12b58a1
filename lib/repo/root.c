/* root.c: the search upwards opens `..`, `../..` and so on. So it follows the
 * directories themselves, and no path is too long for it. The absolute path is only for
 * messages and for other programs.
 */
#include "repo/root.h"

#include "repo/format-number.h"
#include "repo/git-exclude.h"
#include "repo/gitdir.h"
#include "repo/owner.h"
#include "repo/project-id.h"
#include "sys/dirs.h"
#include "sys/file-write.h"
#include "sys/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER ".co-cli"
#define SETTINGS "settings.json"
#define TEXT_OF(number) TEXT_OF_(number)
#define TEXT_OF_(number) #number

/* The files that each root has besides knowledge/. In a project, its id is added to the
 * settings. */
static const struct part {
	const char *name, *text;
} parts[] = {
	{".gitignore",
	 "# What a writer that was killed may leave behind.\n" FILE_TEMP "*\n"},
	{SETTINGS, "{\"format\": " TEXT_OF(FORMAT_NEW)},
};

/* Call lstat() for NAME in the directory UP ("", "../", ...). Return 1 with *ST, 0
 * if it is absent, or -1. */
static int stat_in(struct buf *up, const char *name, struct stat *st,
		   struct err *e)
{
	const size_t len = up->len;
	int r;

	buf_adds(up, name);
	r = fstatat(AT_FDCWD, up->p, st, AT_SYMLINK_NOFOLLOW);
	buf_cut(up, len);
	if (r == 0)
		return 1;
	if (errno == ENOENT || errno == ENOTDIR)
		return 0;
	return err_sys(e, "cannot look for '%s%s'", up->p, name);
}

/* Cut the last component of the absolute PATH; "/" stays. */
static void cut_last(struct buf *path)
{
	while (path->len > 1 && path->p[path->len - 1] != '/')
		buf_cut(path, path->len - 1);
	if (path->len > 1)
		buf_cut(path, path->len - 1);
}

/* Return 1 if FOLDER is $HOME, 0 if not, or -1. On -1 the caller must not continue
 * upwards. */
static int is_home(const char *folder, struct err *e)
{
	const char *home = dirs_home();
	struct stat a, b;

	if (!home)
		return 0;
	if (stat(home, &a) < 0) {
		/* We are in FOLDER, so a $HOME that we cannot reach is another
		 * directory. */
		if (errno == ENOENT || errno == ENOTDIR || errno == EACCES ||
		    errno == ELOOP || errno == ENAMETOOLONG)
			return 0;
		return err_sys(e, "cannot look at '%s'", home);
	}
	if (stat(folder, &b) < 0)
		return err_sys(e, "cannot look at '%s'", folder);
	return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Return 1 if the directory that UP leads to has FOLDER, with *FD, or -1 for a
 * FOLDER that cannot be opened; 0 if not; or -1. */
static int open_there(struct buf *up, int *fd, struct err *e)
{
	const size_t len = up->len;
	struct stat st;

	buf_adds(up, FOLDER);
	*fd = file_open(AT_FDCWD, up->p, O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
			0);
	buf_cut(up, len);
	if (*fd >= 0)
		return 1;
	return errno == ENOENT ? 0 : stat_in(up, FOLDER, &st, e);
}

/* Go up from the working directory HERE. Return 1 if UP leads to a directory that
 * has FOLDER; then *FD is as from open_there(), and HERE is its path. Return 0 if
 * none has it; then HERE is where the first writer makes it. Whether a directory is
 * $HOME is checked only where that would end the walk, not for the one that has the
 * store. */
static int walk_up(struct buf *up, struct buf *here, int *fd, struct err *e)
{
	char *cwd = mem_strdup(here->p);
	struct stat st;
	int r, home = 0;

	buf_adds(up, "./");
	for (bool first = true;; first = false) {
		if (!first)
			home = is_home(up->p, e);
		r = home < 0 ? -1 : home ? 0 : open_there(up, fd, e);
		if (r)
			goto out;
		if (home)
			break;
		r = stat_in(up, ".git", &st, e);
		if (!r && first)
			home = is_home(up->p, e);
		if (r || home < 0) {
			r = r < 0 || home < 0 ? -1 : 0;
			goto out;
		}
		if (home || here->len == 1)
			break;
		buf_adds(up, "../");
		cut_last(here);
	}
	buf_cut(here, 0);
	buf_adds(here, cwd);
out:
	free(cwd);
	return r;
}

size_t root_project_length(const char *path)
{
	static const char name[] = "/" FOLDER;
	const size_t len = strlen(path), cut = strlen(name);

	return len > cut && !strcmp(path + len - cut, name) ? len - cut : 0;
}

bool root_hides(const struct root *r, struct buf *path)
{
	struct buf here = {0}, at = {0};
	char *folder = root_folder(r);
	struct stat st;
	int found = 0, fd = -1;

	buf_adds(&here, folder);
	while (!found && r->scope == SCOPE_PROJECT && r->fd >= 0 &&
	       here.len > 1) {
		buf_cut(&at, 0);
		buf_addf(&at, "%s/", here.p);
		if (stat_in(&at, ".git", &st, NULL) || is_home(here.p, NULL))
			break;
		cut_last(&here);
		if (is_home(here.p, NULL))
			break;
		buf_cut(&at, 0);
		buf_addf(&at, "%s%s", here.p, here.len > 1 ? "/" : "");
		found = open_there(&at, &fd, NULL);
	}
	file_close(fd);
	if (found > 0)
		buf_addf(path, "%s" FOLDER, at.p);
	buf_release(&here);
	buf_release(&at);
	free(folder);
	return found > 0;
}

char *root_folder(const struct root *r)
{
	struct buf path = {0};

	buf_adds(&path, r->path);
	cut_last(&path);
	return buf_take(&path);
}

/* Refuse R if it belongs to another user. */
static int refuse_foreign(const struct root *r, uid_t owner, struct err *e)
{
	char *folder = root_folder(r);
	int result = 0;

	if (!owner_is_trusted(owner, folder))
		result = err_set(e, ERR_SYSTEM,
				 "refusing '%s': it belongs to another user; "
				 "to trust it add '%s' to \"safe.directory\" "
				 "in your settings.json",
				 r->path, folder);
	free(folder);
	return result;
}

/* Open the root in the directory at PATH, to which UP leads, unless it is open.
 * Without LOOK_THERE, only set its path. An absent root is not an error. */
static int open_project(struct root *r, bool look_there, struct buf *up,
			struct buf *path, struct err *e)
{
	struct stat st;
	int found;

	buf_adds(path, path->len == 1 ? FOLDER : "/" FOLDER);
	r->path = buf_take(path);
	if (!look_there)
		return 0;
	if (r->fd < 0) {
		buf_adds(up, FOLDER);
		found = file_open_dir(AT_FDCWD, up->p, r->path, &r->fd, e);
		if (found != 1)
			return found;
	}
	if (fstat(r->fd, &st) < 0)
		return err_sys(e, "cannot open '%s'", r->path);
	return refuse_foreign(r, st.st_uid, e);
}

/* If the directory REL ("/sub", "" for the top) of the linked work tree G has a
 * private store (co init --private), which is in the main work tree MAIN, open it as
 * R. Return 1, 0 if it has none, or -1. */
static int open_private(struct root *r, const struct gitdir *g,
			const char *main, const char *rel, struct err *e)
{
	struct buf name = {0}, path = {0}, up = {0};
	struct stat st;
	int result;

	buf_addf(&name, "%s/" FOLDER, rel);
	buf_addf(&path, "%s%s", main, rel);
	buf_addf(&up, "%s/", path.p);
	result = git_exclude_has(g, name.p, e);
	if (result == 1)
		result = stat_in(&up, FOLDER, &st, e);
	if (result == 1) {
		free(r->path);
		result = open_project(r, true, &up, &path, e);
		result = result < 0 ? -1 : 1;
	}
	buf_release(&name);
	buf_release(&path);
	buf_release(&up);
	return result;
}

/* If there is no root from the directory CWD upwards, in the work tree G, open a
 * private one in the main work tree as R; not if the root must be HERE, in CWD.
 * Return 0, or -1, also if a sparse checkout leaves a root out. */
static int find_elsewhere(struct root *r, struct gitdir *g, const char *cwd,
			  bool here, struct err *e)
{
	const int whole = gitdir_is_whole(g, e);
	char *main = whole == 1 || g->moved ? gitdir_main(g) : NULL;
	const bool at_top = !strcmp(cwd, g->top);
	struct buf rel = {0}, name = {0};
	int result = 0;

	if (whole < 0)
		return -1;
	buf_adds(&rel, cwd + (g->top[1] ? strlen(g->top) : 0));
	if (rel.len == 1)
		buf_cut(&rel, 0);
	for (;;) {
		buf_cut(&name, 0);
		buf_addf(&name, "%s/" FOLDER, buf_str(&rel));
		result = gitdir_leaves_out(g, name.p + 1, e);
		if (result == 1)
			result = err_set(e, ERR_SYSTEM,
					 "the sparse checkout leaves out '%s': "
					 "'git%s%s sparse-checkout add %s' "
					 "brings it",
					 name.p + 1, at_top ? "" : " -C ",
					 at_top ? "" : g->top, name.p + 1);
		if (!result && main && !here)
			result = open_private(r, g, main, buf_str(&rel), e);
		if (result == 1 && g->moved)
			result =
				err_set(e, ERR_SYSTEM,
					"the work tree '%s' was moved, so '%s' "
					"is not its store: run 'git worktree "
					"repair' in it",
					g->top, r->path);
		if (result || here || !rel.len)
			break;
		while (rel.len && rel.p[rel.len - 1] != '/')
			buf_cut(&rel, rel.len - 1);
		buf_cut(&rel, rel.len ? rel.len - 1 : 0);
	}
	if (result == 1 && gitdir_worktree(g))
		r->worktree = mem_strdup(gitdir_worktree(g));
	free(main);
	buf_release(&rel);
	buf_release(&name);
	return result < 0 ? -1 : 0;
}

/* Call find_elsewhere() if there is a git work tree. If R exists, the search starts
 * from its own directory, since a checkout may have left a part of it. */
static int ask_elsewhere(struct root *r, const char *cwd, bool here,
			 struct err *e)
{
	const bool there = r->fd >= 0;
	char *folder = there ? root_folder(r) : mem_strdup(cwd);
	struct gitdir g;
	struct err why;
	int result = 0, found = gitdir_find(&g, folder, &why);

	if (found == 1) {
		result = find_elsewhere(r, &g, folder, here || there, e);
		gitdir_release(&g);
	} else if (found < 0 && why.code == ERR_SYSTEM) {
		/* Nothing tells whether there is a store elsewhere. */
		result = err_take(e, &why);
	}
	/* Do not search for a git directory again. */
	r->asked = found == 0;
	free(folder);
	return result;
}

/* Find the root of the project as R; with HERE, only in the working directory
 * itself. */
static int find_project(struct root *r, bool here, struct err *e)
{
	struct buf up = {0}, path = {0};
	char *cwd = getcwd(NULL, 0);
	int result = 1;

	if (!cwd || cwd[0] != '/') {
		const bool gone = cwd || errno == ENOENT;

		free(cwd);
		return gone ? err_set(e, ERR_SYSTEM,
				      "the working directory was deleted: "
				      "start again in one that exists")
			    : err_sys(e, "cannot find the working directory");
	}
	buf_adds(&path, cwd);
	if (!here)
		result = walk_up(&up, &path, &r->fd, e);
	if (result >= 0)
		result = open_project(r, result == 1, &up, &path, e);
	/* Every store has a .gitignore. */
	if (!result && (r->fd < 0 || faccessat(r->fd, ".gitignore", F_OK, 0)))
		result = ask_elsewhere(r, cwd, here, e);
	free(cwd);
	buf_release(&up);
	buf_release(&path);
	return result;
}

static int find_global(struct root *r, struct err *e)
{
	if (dirs_config(&r->path, e) < 0)
		return -1;
	r->fd = file_open(AT_FDCWD, r->path, O_RDONLY | O_DIRECTORY, 0);
	if (r->fd < 0 && errno != ENOENT)
		return err_sys(e, "cannot open '%s'", r->path);
	return 0;
}

int root_find(struct root *r, enum scope scope, struct err *e)
{
	int result;

	*r = (struct root){.scope = scope, .fd = -1};
	result = scope == SCOPE_GLOBAL ? find_global(r, e)
				       : find_project(r, false, e);
	if (result < 0)
		root_release(r);
	return result;
}

int root_here(struct root *r, struct err *e)
{
	int result;

	*r = (struct root){.scope = SCOPE_PROJECT, .fd = -1};
	result = find_project(r, true, e);
	if (result < 0)
		root_release(r);
	return result;
}

int root_at(struct root *r, const char *folder, struct err *e)
{
	struct buf up = {0}, path = {0};
	int result;

	*r = (struct root){.scope = SCOPE_PROJECT, .fd = -1};
	buf_adds(&path, folder);
	buf_addf(&up, "%s/", folder);
	result = open_project(r, true, &up, &path, e);
	if (result < 0)
		root_release(r);
	buf_release(&up);
	buf_release(&path);
	return result < 0 ? -1 : r->fd >= 0;
}

int root_open_knowledge(const struct root *r, struct buf *path, int *fd,
			struct err *e)
{
	buf_addf(path, "%s/knowledge", r->path);
	*fd = -1;
	if (r->fd < 0)
		return 0;
	return file_open_dir(r->fd, "knowledge", path->p, fd, e);
}

/* Append the names of PATH. `.` and `..` are resolved without following
 * links. */
static void add_names(struct buf *out, const char *path)
{
	for (size_t len; *path; path += len + (path[len] == '/')) {
		len = strcspn(path, "/");
		if (len == 2 && !memcmp(path, "..", 2)) {
			while (out->len && out->p[--out->len] != '/')
				;
			buf_cut(out, out->len);
		} else if (len && !(len == 1 && *path == '.')) {
			buf_addc(out, '/');
			buf_add(out, path, len);
		}
	}
}

const char *root_relative(const struct root *r, const char *given,
			  struct arena *a)
{
	char *top, *cwd;
	struct buf path = {0};
	const char *at = NULL;
	size_t len;

	if (!r->path)
		return NULL;
	top = root_folder(r);
	cwd = getcwd(NULL, 0);
	len = strlen(top);
	if (cwd && (!given || *given != '/'))
		add_names(&path, cwd);
	if (given)
		add_names(&path, given);
	if (path.len > len + 1 && !memcmp(path.p, top, len) &&
	    path.p[len] == '/')
		at = arena_strdup(a, path.p + len + 1);
	buf_release(&path);
	free(cwd);
	free(top);
	return at;
}

void root_release(struct root *r)
{
	file_close(r->fd);
	free(r->path);
	free(r->common);
	free(r->shared);
	free(r->worktree);
	free(r->own);
	free(r->closed);
	free(r->moved);
	free(r->log);
	free(r->log_above);
	*r = (struct root){.scope = r->scope, .fd = -1};
}

unsigned root_file_mode(const struct root *r)
{
	return r->scope == SCOPE_GLOBAL ? 0600 : 0666;
}

unsigned root_dir_mode(const struct root *r)
{
	return r->scope == SCOPE_GLOBAL ? 0700 : 0777;
}

/* Return true if DIR has what each git directory has. */
static bool is_git_directory(int dir)
{
	return faccessat(dir, "HEAD", F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
	       faccessat(dir, "objects", X_OK, 0) == 0 &&
	       faccessat(dir, "refs", X_OK, 0) == 0;
}

static int make_project(struct root *r, bool *made, struct err *e)
{
	char *folder = root_folder(r);
	int above = file_open(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0);
	int result;

	if (above < 0) {
		result = err_sys(e, "cannot open '%s'", folder);
	} else if (is_git_directory(above)) {
		result = err_set(e, ERR_SYSTEM,
				 "'%s' is a bare git repository, and a store "
				 "belongs in a work tree: 'git clone' or 'git "
				 "worktree add' makes one",
				 folder);
		close(above);
	} else {
		result = file_make_dir(above, FOLDER, r->path, root_dir_mode(r),
				       &r->fd, made, e);
		close(above);
	}
	free(folder);
	return result;
}

static bool has_part(const struct root *r, const struct part *p)
{
	struct stat st;

	return fstatat(r->fd, p->name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static int make_part(const struct root *r, const struct part *p, struct err *e)
{
	struct buf path = {0}, text = {0};
	char id[PROJECT_ID_LENGTH + 1];
	int result;

	buf_addf(&path, "%s/%s", r->path, p->name);
	buf_adds(&text, p->text);
	if (!strcmp(p->name, SETTINGS) && r->scope == SCOPE_PROJECT)
		buf_addf(&text, ", \"project\": {\"id\": \"%s\"}",
			 project_id_draw(id));
	if (!strcmp(p->name, SETTINGS))
		buf_adds(&text, "}\n");
	result = file_create(r->fd, p->name, path.p, root_file_mode(r), text.p,
			     text.len, e);
	buf_release(&path);
	buf_release(&text);
	return result < 0 ? -1 : 0;
}

/* Write the missing parts. Several processes may make a root at once: the lock of
 * the store comes later, since it is on a directory in the root. */
static int complete_root(const struct root *r, struct err *e)
{
	int lock, result = 0;

	if (has_part(r, &parts[0]) && has_part(r, &parts[1]))
		return 0;
	if (lock_take(r->fd, r->path, &lock, e) < 0)
		return -1;
	for (size_t i = 0; !result && i < ARRAY_LEN(parts); i++) {
		if (!has_part(r, &parts[i]))
			result = make_part(r, &parts[i], e);
	}
	lock_release(r->fd, lock);
	return result;
}

int root_make(struct root *r, bool *made, struct err *e)
{
	int result = 0;

	*made = false;
	if (r->fd < 0 && r->scope == SCOPE_PROJECT) {
		result = make_project(r, made, e);
	} else if (r->fd < 0) {
		result = file_make_path(r->path, root_dir_mode(r), &r->fd, e);
		*made = true;
	}
	if (result < 0 ||
	    format_check(r->fd, r->path, r->scope == SCOPE_GLOBAL, NULL, e) < 0)
		return -1;
	return complete_root(r, e);
}

/* Find the git directory of the work tree around the project root R; see
 * gitdir_find(). */
static int find_git(const struct root *r, struct gitdir *g, struct err *e)
{
	char *folder = root_folder(r);
	const int found = gitdir_find(g, folder, e);

	free(folder);
	return found;
}

bool root_in_project(const struct root *r)
{
	struct gitdir g;
	struct stat st;
	bool is = true;

	if (r->fd >= 0)
		return true;
	/* A malformed .git still marks a work tree. */
	switch (find_git(r, &g, NULL)) {
	case 0:
		return false;
	case 1:
		is = is_home(g.top, NULL) != 1 && stat(g.top, &st) == 0 &&
		     owner_is_trusted(st.st_uid, g.top);
		gitdir_release(&g);
	}
	return is;
}

bool root_seen_by_git(const struct root *r)
{
	struct gitdir g;
	struct err e;
	bool hidden = false;

	/* A malformed .git still marks a work tree. */
	const int found = find_git(r, &g, &e);

	if (found == 1) {
		hidden = git_exclude_hides(&g, r->path);
		gitdir_release(&g);
	}
	return (found == 1 && !hidden) || (found < 0 && e.code == ERR_DATA);
}

int root_exclude(const struct root *r, struct err *e)
{
	struct gitdir g;
	char *main;
	int result;

	if (r->fd >= 0 && format_check(r->fd, r->path, false, NULL, e) < 0)
		return -1;
	result = find_git(r, &g, e);
	if (result < 0)
		return -1;
	if (result == 0)
		return err_set(e, ERR_USAGE,
			       "there is no git work tree around '%s' that "
			       "could hide it",
			       r->path);
	main = r->fd < 0 ? gitdir_main(&g) : NULL;
	result = main ? err_set(e, ERR_USAGE,
				"a private store belongs in the main work "
				"tree: run this in '%s'",
				main)
		      : git_exclude_add(&g, r->path, e);
	free(main);
	gitdir_release(&g);
	return result;
}
