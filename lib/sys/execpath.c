/* execpath.c: each directory is read once. A program describes itself with
 * --spec; only the first line of its output is used. */
#include "sys/execpath.h"

#include "base/compat.h"
#include "sys/process.h"

#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#define ANSWER_MS 1000
#define SUITE "co-suite" /* the multi-call executable */

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* Return the length of the next absolute directory of PATH, 0 at the end. *DIR
 * is its start; *PATH advances past it. */
static size_t next_folder(const char **path, const char **dir)
{
	while (*path && **path) {
		size_t len = strcspn(*path, ":");

		*dir = *path;
		*path += len + ((*path)[len] == ':');
		if (len && **dir == '/')
			return len;
	}
	return 0;
}

static bool find_in_path(struct buf *out, const char *name)
{
	const char *path = getenv("PATH"), *dir;
	size_t start = out->len, len;

	while ((len = next_folder(&path, &dir))) {
		buf_addf(out, "%.*s/%s", (int)len, dir, name);
		if (is_program(out->p + start))
			return true;
		buf_cut(out, start);
	}
	return false;
}

bool execpath_in_path(const char *name)
{
	struct buf path = {0};
	const bool found = find_in_path(&path, name);

	buf_release(&path);
	return found;
}

/* Write the resolved path of the running program to REAL. */
static bool find_self(char real[PATH_MAX], const char *argv0)
{
	struct buf found = {0};
	bool ok;

	if (compat_self(real))
		return true;
	if (!argv0)
		return false;
	if (!strchr(argv0, '/') && find_in_path(&found, argv0))
		argv0 = found.p;
	ok = strchr(argv0, '/') && realpath(argv0, real);
	buf_release(&found);
	return ok;
}

bool execpath_folder(struct buf *out, const char *argv0)
{
	char self[PATH_MAX];

	if (!find_self(self, argv0))
		return false;
	buf_add(out, self, (size_t)(strrchr(self, '/') + 1 - self));
	return true;
}

bool execpath_find(struct buf *out, const char *name, const char *argv0)
{
	size_t start = out->len;

	if (strchr(name, '/') || !strcmp(name, SUITE))
		return false;
	if (execpath_folder(out, argv0)) {
		buf_adds(out, name);
		if (is_program(out->p + start))
			return true;
		buf_cut(out, start);
	}
	return find_in_path(out, name);
}

bool execpath_page(struct buf *out, const char *page, const char *argv0)
{
	const char *section = strrchr(page, '.');
	size_t start = out->len;

	if (!section || strchr(page, '/') || !execpath_folder(out, argv0))
		return false;
	buf_addf(out, "../share/man/man%s/%s", section + 1, page);
	if (!access(out->p + start, R_OK))
		return true;
	buf_cut(out, start);
	return false;
}

bool execpath_shared(struct buf *out, const char *name, const char *argv0)
{
	size_t start = out->len, end;

	if (!execpath_folder(out, argv0))
		return false;
	for (end = out->len - 1; end > start && out->p[end - 1] != '/';)
		end--;
	buf_cut(out, end);
	buf_addf(out, "share/co-cli/%s", name);
	return true;
}

static bool has_name(const struct execpath *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++) {
		if (!strcmp(s->items[i].name, name))
			return true;
	}
	return false;
}

/* Add the programs of DIR whose names are not in S yet. */
static void list_folder(struct execpath *s, size_t *cap, const char *dir,
			bool ours, struct arena *a)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		const char *path;

		if (strncmp(entry->d_name, "co-", 3) ||
		    !strcmp(entry->d_name, SUITE) || has_name(s, entry->d_name))
			continue;
		path = arena_printf(a, "%s%s%s", dir,
				    dir[strlen(dir) - 1] == '/' ? "" : "/",
				    entry->d_name);
		if (!is_program(path))
			continue;
		*MEM_ADD(s->items, s->n, *cap) = (struct execpath_program){
			arena_strdup(a, entry->d_name), path, ours, "other",
			""};
	}
	if (d)
		closedir(d);
}

static int by_name(const void *a, const void *b)
{
	const struct execpath_program *x = a, *y = b;

	return strcmp(x->name, y->name);
}

void execpath_list(struct execpath *s, const char *argv0, struct arena *a)
{
	const char *path = getenv("PATH"), *dir;
	struct execpath_program *items;
	struct buf folder = {0};
	size_t cap = 0, len;

	*s = (struct execpath){0};
	if (execpath_folder(&folder, argv0))
		list_folder(s, &cap, folder.p, true, a);
	buf_release(&folder);
	while ((len = next_folder(&path, &dir)))
		list_folder(s, &cap, arena_copy(a, dir, len), false, a);
	if (!s->n)
		return;
	qsort(s->items, s->n, sizeof(*s->items), by_name);
	items = arena_alloc(a, s->n * sizeof(*items));
	memcpy(items, s->items, s->n * sizeof(*items));
	free(s->items);
	s->items = items;
}

/* Set kind and summary of P from LINE: command TAB name TAB kind TAB text. */
static void parse_spec(struct execpath_program *p, char *line, struct arena *a)
{
	char *name = strchr(line, '\t');
	char *kind = name ? strchr(name + 1, '\t') : NULL;
	char *summary = kind ? strchr(kind + 1, '\t') : NULL;

	if (!summary || strncmp(line, "command\t", 8))
		return;
	*summary = '\0';
	if (!strcmp(kind + 1, "plumbing"))
		p->kind = "plumbing";
	else if (!strcmp(kind + 1, "porcelain"))
		p->kind = "porcelain";
	p->summary = arena_strdup(a, summary + 1);
}

void execpath_describe(struct execpath *s, struct arena *a)
{
	for (size_t i = 0; i < s->n; i++) {
		struct execpath_program *p = &s->items[i];
		const char *argv[] = {p->path, "--spec", NULL};
		struct process c = {0};
		struct err e;
		char *end;

		if (!p->ours || *p->summary ||
		    process_run(&c, argv, NULL, 0, ANSWER_MS, &e) < 0)
			continue;
		end = strchr(buf_str(&c.output), '\n');
		if (end) {
			*end = '\0';
			parse_spec(p, c.output.p, a);
		}
		process_release(&c);
	}
}
