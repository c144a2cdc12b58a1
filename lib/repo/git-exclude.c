/* git-exclude.c: see git-exclude.h. */
#include "repo/git-exclude.h"

#include "sys/file-write.h"

#include <fcntl.h>
#include <unistd.h>

#define EXCLUDE_MAX ((size_t)1024 * 1024)

/* A file named .git may have come with an archive and may name any directory. So
 * check that the directory belongs to git before writing to it. */
static int check_git(const struct gitdir *g, struct err *e)
{
	struct buf head = {0};
	bool is_git;

	buf_addf(&head, "%s/HEAD", g->common);
	is_git = access(head.p, F_OK) == 0 || (g->is_folder && !g->linked);
	buf_release(&head);
	if (is_git)
		return 0;
	return err_set(e, ERR_DATA,
		       "'%s/.git' names '%s', which is not a git directory",
		       g->top[1] ? g->top : "", g->common);
}

/* Append the line of an exclude file for REL ("/sub/.co-cli"), with the special
 * characters of patterns escaped. */
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

/* Add LINE to the file `exclude` in the directory INFO, unless it has it. */
static int add_line(const char *info, const struct buf *line, struct err *e)
{
	struct buf text = {0}, path = {0};
	int fd, r;

	if (file_make_path(info, 0777, &fd, e) < 0)
		return -1;
	buf_addf(&path, "%s/exclude", info);
	r = file_read(fd, "exclude", path.p, EXCLUDE_MAX, &text, e);
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

int git_exclude_add(const struct gitdir *g, const char *path, struct err *e)
{
	struct buf info = {0}, line = {0};
	int r = check_git(g, e);

	add_pattern(&line, path + (g->top[1] ? strlen(g->top) : 0));
	buf_addf(&info, "%s/info", g->common);
	if (!r)
		r = add_line(info.p, &line, e);
	buf_release(&info);
	buf_release(&line);
	return r;
}

int git_exclude_has(const struct gitdir *g, const char *rel, struct err *e)
{
	struct buf path = {0}, line = {0}, text = {0};
	int r = 0;

	buf_addf(&path, "%s/info/exclude", g->common);
	add_pattern(&line, rel);
	if (!file_is_gone(AT_FDCWD, path.p, true))
		r = file_read_path(path.p, EXCLUDE_MAX, &text, e);
	if (r == 1)
		r = has_line(&text, &line);
	buf_release(&path);
	buf_release(&line);
	buf_release(&text);
	return r;
}

/* Return true if FOLDER/NAME has a line that is PATTERN, with or without slashes at
 * its ends. */
static bool file_ignores(const char *folder, const char *name,
			 const char *pattern)
{
	const size_t len = strlen(pattern);
	struct buf path = {0}, text = {0};
	const char *p;
	bool found = false;

	buf_addf(&path, "%s/%s", folder, name);
	if (file_read_path(path.p, EXCLUDE_MAX, &text, NULL) < 0)
		buf_cut(&text, 0);
	for (p = buf_str(&text); *p && !found; p += *p == '\n') {
		const char *end = p + strcspn(p, "\r\n");

		p += *p == '/';
		found = !strncmp(p, pattern, len) &&
			p + len + (p[len] == '/') == end;
		p = end + strspn(end, "\r");
	}
	buf_release(&path);
	buf_release(&text);
	return found;
}

bool git_exclude_hides(const struct gitdir *g, const char *path)
{
	const char *rel = path + (g->top[1] ? strlen(g->top) : 0) + 1;
	const char *name = strrchr(path, '/') + 1;
	struct buf folder = {0};
	bool hides;

	buf_add(&folder, path, (size_t)(name - path));
	hides = file_ignores(g->common, "info/exclude", rel) ||
		file_ignores(g->common, "info/exclude", name) ||
		file_ignores(g->top, ".gitignore", rel) ||
		file_ignores(g->top, ".gitignore", name) ||
		file_ignores(folder.p, ".gitignore", name);
	buf_release(&folder);
	return hides;
}
