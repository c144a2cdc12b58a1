/* root.c: the walk upwards names folders as `..`, `../..` and so on, so that
 * it follows the folders themselves and no path is too long for it; the
 * absolute path is for showing, and for other programs.
 */
#include "root.h"

#include "file.h"
#include "format.h"
#include "home.h"
#include "lock.h"
#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER ".co-cli"
#define TEXT_OF(number) TEXT_OF_(number)
#define TEXT_OF_(number) #number

/* What every root has beside knowledge/. */
static const struct part {
	const char *name, *text;
} parts[] = {
	{".gitignore",
	 "# What a writer that was killed may leave behind.\n" FILE_TEMP "\n"},
	{"settings.json", "{\"format\": " TEXT_OF(FORMAT_OURS) "}\n"},
};

/* 1 with *ST filled if UP ("", "../", ...) holds NAME, 0 if not, -1. */
static int look(struct buf *up, const char *name, struct stat *st,
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

/* 1 if FOLDER is $HOME, 0 if not, -1: who cannot tell must not walk on. */
static int is_home(const char *folder, struct err *e)
{
	const char *home = home_dir();
	struct stat a, b;

	if (!home)
		return 0;
	if (stat(home, &a) < 0) {
		/* One that is not there for us is not where we are. */
		if (errno == ENOENT || errno == ENOTDIR || errno == EACCES ||
		    errno == ELOOP || errno == ENAMETOOLONG)
			return 0;
		return err_sys(e, "cannot look at '%s'", home);
	}
	if (stat(folder, &b) < 0)
		return err_sys(e, "cannot look at '%s'", folder);
	return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Walk up from the working directory HERE.  1: UP leads to a folder that holds
 * FOLDER, and HERE is its path.  0: none does; HERE is where the first writer
 * makes one. */
static int walk_up(struct buf *up, struct buf *here, struct err *e)
{
	char *cwd = mem_strdup(here->p);
	struct stat st;
	int r;

	buf_adds(up, "./");
	for (bool first = true;; first = false) {
		const int home = is_home(up->p, e);

		r = home < 0 ? -1 : 0;
		if (home < 0)
			goto out;
		if (home && !first)
			break;
		r = look(up, FOLDER, &st, e);
		if (r)
			goto out;
		r = look(up, ".git", &st, e);
		if (r) {
			r = r < 0 ? -1 : 0;
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

/* May we believe a folder of OWNER?  Under sudo, also one of the caller. */
static bool is_trusted(uid_t owner)
{
	const char *sudo = geteuid() == 0 ? getenv("SUDO_UID") : NULL;
	char *end;

	if (owner == geteuid() || owner == 0)
		return true;
	return sudo && *sudo && strtoul(sudo, &end, 10) == owner && !*end;
}

/* Open the root in the folder at PATH, to which UP leads, or without
 * LOOK_THERE only say where it will be.  An absent one is no error. */
static int open_project(struct root *r, bool look_there, struct buf *up,
			struct buf *path, struct err *e)
{
	struct stat st;
	int found;

	buf_adds(path, path->len == 1 ? FOLDER : "/" FOLDER);
	r->path = buf_take(path);
	if (!look_there)
		return 0;
	buf_adds(up, FOLDER);
	found = file_open_dir(AT_FDCWD, up->p, r->path, &r->fd, e);
	if (found != 1)
		return found;
	if (fstat(r->fd, &st) < 0)
		return err_sys(e, "cannot open '%s'", r->path);
	if (!is_trusted(st.st_uid))
		return err_set(e, ERR_SYSTEM,
			       "refusing '%s': it belongs to another user",
			       r->path);
	return 0;
}

/* The root of the project, or with HERE the one of the working directory. */
static int find_project(struct root *r, bool here, struct err *e)
{
	struct buf up = {0}, path = {0};
	char *cwd = getcwd(NULL, 0);
	int result = 1;

	if (!cwd || cwd[0] != '/') {
		if (cwd)
			errno = ENOENT;
		free(cwd);
		return err_sys(e, "cannot tell the working directory");
	}
	buf_adds(&path, cwd);
	free(cwd);
	if (!here)
		result = walk_up(&up, &path, e);
	if (result >= 0)
		result = open_project(r, result == 1, &up, &path, e);
	buf_release(&up);
	buf_release(&path);
	return result;
}

static int find_global(struct root *r, struct err *e)
{
	if (home_config(&r->path, e) < 0)
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

int root_open_knowledge(const struct root *r, struct buf *path, int *fd,
			struct err *e)
{
	buf_addf(path, "%s/knowledge", r->path);
	*fd = -1;
	if (r->fd < 0)
		return 0;
	return file_open_dir(r->fd, "knowledge", path->p, fd, e);
}

void root_release(struct root *r)
{
	if (r->fd >= 0)
		close(r->fd);
	free(r->path);
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

/* The folder that holds the project root R; yours. */
static char *folder_of(const struct root *r)
{
	struct buf path = {0};

	buf_adds(&path, r->path);
	cut_last(&path);
	return buf_take(&path);
}

static int make_project(struct root *r, bool *made, struct err *e)
{
	char *folder = folder_of(r);
	int above = file_open(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0);
	int result;

	if (above < 0) {
		result = err_sys(e, "cannot open '%s'", folder);
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
	struct buf path = {0};
	int result;

	buf_addf(&path, "%s/%s", r->path, p->name);
	result = file_create(r->fd, p->name, path.p, root_file_mode(r), p->text,
			     strlen(p->text), e);
	buf_release(&path);
	return result < 0 ? -1 : 0;
}

/* Write the parts that are missing.  Who makes a root may not be alone; the
 * store's own lock comes later, since it is on a folder in here. */
static int complete(const struct root *r, struct err *e)
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
	if (result < 0 || format_check(r->fd, r->path, e) < 0)
		return -1;
	return complete(r, e);
}

/* The top of the git work tree around the project root R: 1 and *TOP is yours,
 * 0, or -1. */
static int find_top(const struct root *r, char **top, struct err *e)
{
	struct buf path = {0};
	struct stat st;
	int found = 0;

	buf_adds(&path, r->path);
	while (!found && path.len > 1) {
		size_t len;

		cut_last(&path);
		len = path.len;
		buf_adds(&path, len == 1 ? ".git" : "/.git");
		if (lstat(path.p, &st) == 0)
			found = 1;
		else if (errno != ENOENT)
			found = err_sys(e, "cannot look for '%s'", path.p);
		buf_cut(&path, len);
	}
	if (found == 1)
		*top = buf_take(&path);
	buf_release(&path);
	return found;
}

bool root_in_git(const struct root *r)
{
	char *top;

	if (find_top(r, &top, NULL) != 1)
		return false;
	free(top);
	return true;
}

/* Follow the one-line file NAME in the folder GIT, which may begin with
 * PREFIX, to the folder that it names; GIT stays where there is no such file. */
static int follow(struct buf *git, const char *name, const char *prefix,
		  struct err *e)
{
	const size_t len = git->len, skip = strlen(prefix);
	struct buf text = {0};
	struct stat st;
	int r;

	buf_addf(git, "/%s", name);
	r = stat(git->p, &st);
	if (r < 0 && errno != ENOENT)
		return err_sys(e, "cannot look at '%s'", git->p);
	if (r < 0 || !S_ISREG(st.st_mode)) {
		buf_cut(git, len);
		return 0;
	}
	r = file_read_path(git->p, 65536, &text, e);
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
out:
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* A file named .git may have come with an archive and name any folder: what it
 * led to from the work tree TOP must be git's own before it is written to. */
static int check_git(struct buf *git, const char *top, struct err *e)
{
	const size_t len = git->len;
	bool is_git;

	buf_adds(git, "/HEAD");
	is_git = !access(git->p, F_OK);
	buf_cut(git, len);
	if (is_git || (!strncmp(git->p, top, strlen(top)) &&
		       !strcmp(git->p + strlen(top), "/.git")))
		return 0;
	return err_set(e, ERR_DATA,
		       "'%s/.git' names '%s', which is no folder of git",
		       top[1] ? top : "", git->p);
}

/* The line of an exclude file for REL ("/sub/.co-cli"): what git would take
 * for a pattern stands for itself. */
static void add_pattern(struct buf *out, const char *rel)
{
	for (; *rel; rel++) {
		if (strchr("\\*?[ ", *rel))
			buf_addc(out, '\\');
		buf_addc(out, *rel == '\n' ? '?' : *rel);
	}
	buf_adds(out, "/\n");
}

static bool has_line(const struct buf *text, const struct buf *line)
{
	const char *p = buf_str(text);

	while ((p = strstr(p, line->p))) {
		if (p == text->p || p[-1] == '\n')
			return true;
		p++;
	}
	return false;
}

/* Add LINE to the file `exclude` in the folder INFO, once. */
static int add_line(const char *info, const struct buf *line, struct err *e)
{
	struct buf text = {0}, path = {0};
	int fd, r;

	if (file_make_path(info, 0777, &fd, e) < 0)
		return -1;
	buf_addf(&path, "%s/exclude", info);
	r = file_read(fd, "exclude", path.p, 1024 * 1024, &text, e);
	if (r < 0 || (r && has_line(&text, line)))
		goto out;
	if (text.len && text.p[text.len - 1] != '\n')
		buf_addc(&text, '\n');
	buf_add(&text, line->p, line->len);
	if (r)
		r = file_replace(fd, "exclude", path.p, text.p, text.len, e);
	else
		r = file_create(fd, "exclude", path.p, 0666, text.p, text.len,
				e);
out:
	close(fd);
	buf_release(&text);
	buf_release(&path);
	return r < 0 ? -1 : 0;
}

int root_exclude(const struct root *r, struct err *e)
{
	struct buf git = {0}, line = {0};
	char *top;
	int result = find_top(r, &top, e);

	if (result < 0)
		return -1;
	if (result == 0)
		return err_set(e, ERR_USAGE,
			       "there is no git work tree around '%s' that "
			       "could hide it",
			       r->path);
	add_pattern(&line, r->path + (top[1] ? strlen(top) : 0));
	buf_adds(&git, top);
	result = -1;
	if (follow(&git, ".git", "gitdir: ", e) < 0)
		goto out;
	if (git.len == strlen(top) && !strcmp(git.p, top))
		buf_adds(&git, "/.git");
	if (follow(&git, "commondir", "", e) < 0 || check_git(&git, top, e) < 0)
		goto out;
	buf_adds(&git, "/info");
	result = add_line(git.p, &line, e);
out:
	free(top);
	buf_release(&git);
	buf_release(&line);
	return result;
}
