/* traces.c: trees contain the names of their files, so searching the objects
 * finds names in all commits.
 *
 * An article has thousands of lines, and git's objects are large. Therefore
 * each byte is looked at once, whatever the number of lines.
 */
#include "history/traces.h"

#include "base/unicode.h"
#include "base/utf8.h"
#include "format/json-write.h"
#include "history/objects.h"
#include "sys/file.h"
#include "sys/git.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX ((size_t)256 * 1024 * 1024)
#define BEGINS_MOST sizeof(uint64_t)
#define BYTES_MOST ((size_t)64 * 1024) /* less than OBJECTS_OVERLAP */
#define SLOT_BITS 16

/* Return the slot of patterns that begin with the bytes V. */
static size_t slot_of(uint64_t v)
{
	return (size_t)((v * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - SLOT_BITS));
}

/* Return the first N bytes of P, at most BEGINS_MOST, as a number. */
static uint64_t first_bytes(const char *p, size_t n)
{
	uint64_t v = 0;

	if (n == sizeof(v))
		memcpy(&v, p, sizeof(v));
	else
		memcpy(&v, p, n);
	return v;
}

/* Add the pattern I to its slot. */
static void add_to_slot(struct traces_wanted *w, size_t i)
{
	struct traces_text *text = &w->items[i];
	uint32_t *first = &w->first[slot_of(first_bytes(text->p, w->begins))];

	text->next = *first;
	*first = (uint32_t)i + 1;
}

static bool has_pattern(const struct traces_wanted *w, const char *p,
			size_t len)
{
	struct table_look look = table_look(&w->by, p, len, 0);
	size_t i;

	while (table_next(&look, &i)) {
		if (w->items[i].len == len && !memcmp(w->items[i].p, p, len))
			return true;
	}
	return false;
}

/* Add the LEN bytes of P as a pattern, unless it exists. A pattern shorter
 * than all others shortens the compared beginnings, so all slots are filled
 * again. */
static void add_pattern(struct traces *t, const char *p, size_t len)
{
	struct traces_wanted *w = &t->wanted;

	if (!len || has_pattern(w, p, len))
		return;
	if (!w->first) {
		w->first = mem_alloc(sizeof(*w->first) << SLOT_BITS);
		memset(w->first, 0, sizeof(*w->first) << SLOT_BITS);
		w->begins = BEGINS_MOST;
	}
	table_put(&w->by, p, len, 0, w->n);
	*MEM_ADD(w->items, w->n, w->cap) =
		(struct traces_text){arena_copy(&t->arena, p, len), len, 0};
	if (len >= w->begins) {
		add_to_slot(w, w->n - 1);
		return;
	}
	w->begins = len;
	memset(w->first, 0, sizeof(*w->first) << SLOT_BITS);
	for (size_t i = 0; i < w->n; i++)
		add_to_slot(w, i);
}

void traces_add_bytes(struct traces *t, const char *p, size_t len)
{
	if (len >= TRACES_LEAST)
		add_pattern(t, p, len < BYTES_MOST ? len : BYTES_MOST);
}

void traces_add_name(struct traces *t, const char *name)
{
	add_pattern(t, name, strlen(name));
}

/* Add a line without surrounding blanks, as it is and in JSON form. */
static void add_line(struct traces *t, const char *p, size_t len)
{
	struct buf json = {0};

	add_pattern(t, p, len);
	json_write_str(&json, p, len);
	add_pattern(t, json.p + 1, json.len - 2);
	buf_release(&json);
}

/* Add the file name of a memory that begins with the line P. */
static void add_slug(struct traces *t, const char *p, size_t len)
{
	struct buf slug = {0};

	unicode_slug(&slug, p, len);
	if (slug.len >= TRACES_LEAST)
		add_pattern(t, slug.p, slug.len);
	buf_release(&slug);
}

void traces_add_text(struct traces *t, const char *text, size_t len, bool whole)
{
	const char *line = text, *end = text + len;
	size_t n = 0;

	while (line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		const char *p = line;
		size_t k = (size_t)((stop ? stop : end) - line);

		line += k + 1;
		utf8_strip(&p, &k);
		if (k < TRACES_LEAST && !(whole && k))
			continue;
		add_line(t, p, k);
		if (!n++)
			add_slug(t, p, k);
	}
}

/* Return true if a pattern in the slot of V is at P, where LEN bytes are
 * left. */
static bool matches_at(const struct traces_wanted *w, uint64_t v, const char *p,
		       size_t len)
{
	for (size_t i = w->first[slot_of(v)]; i; i = w->items[i - 1].next) {
		const struct traces_text *text = &w->items[i - 1];

		if (text->len <= len && !memcmp(p, text->p, text->len))
			return true;
	}
	return false;
}

bool traces_match(const struct traces *t, const char *p, size_t len)
{
	const struct traces_wanted *w = &t->wanted;

	if (w->n == 1)
		return len && memmem(p, len, w->items->p, w->items->len);
	for (size_t at = 0; w->n && at + w->begins <= len; at++) {
		if (matches_at(w, first_bytes(p + at, w->begins), p + at,
			       len - at))
			return true;
	}
	return false;
}

static void report_trace(struct traces *t, const char *where, const char *type)
{
	t->n++;
	if (t->found)
		t->found(t->ctx, where, type);
}

void traces_miss(struct traces *t, const char *what)
{
	t->nmissed++;
	if (t->missed)
		t->missed(t->ctx, what);
}

static void search_file(struct traces *t, int dir, const char *name,
			const char *path, enum file_kind kind,
			const char *except);

static void search_folder(struct traces *t, int dir, const char *name,
			  const char *path, const char *except)
{
	struct file_list in = {0};
	struct arena a = {0};
	struct err e;
	int fd, r = file_open_dir(dir, name, path, &fd, &e);

	if (r > 0) {
		r = file_list(fd, path, &a, &in, &e);
		for (size_t i = 0; i < in.n; i++)
			search_file(t, fd, in.items[i].name,
				    arena_printf(&a, "%s/%s", path,
						 in.items[i].name),
				    in.items[i].kind, except);
		close(fd);
	}
	if (r < 0)
		traces_miss(t, e.text);
	arena_release(&a);
}

/* Search the name of a file, then its content or the files below it. */
static void search_file(struct traces *t, int dir, const char *name,
			const char *path, enum file_kind kind,
			const char *except)
{
	struct buf text = {0};
	struct err e;
	int r = 0;

	if (traces_match(t, name, strlen(name))) {
		report_trace(t, path, NULL);
	} else if (kind == FILE_REGULAR) {
		progress_step(t->progress, "files", ++t->files, 0);
		r = file_read(dir, name, path, FILE_MAX, &text, &e);
		if (r > 0 && traces_match(t, text.p, text.len))
			report_trace(t, path, NULL);
		if (r < 0)
			traces_miss(t, e.text);
	}
	if (kind == FILE_FOLDER && !(except && !strcmp(name, except)))
		search_folder(t, dir, name, path, except);
	buf_release(&text);
}

void traces_look_below(struct traces *t, const char *path, const char *except)
{
	struct arena a = {0};
	struct stat st;
	const bool there = lstat(path, &st) == 0;

	if (there && S_ISREG(st.st_mode))
		search_file(t, AT_FDCWD, path, path, FILE_REGULAR, NULL);
	else if (there)
		search_folder(t, AT_FDCWD, path, path, except);
	else if (errno != ENOENT && errno != ENOTDIR)
		traces_miss(t, arena_printf(&a, "cannot look at '%s'", path));
	arena_release(&a);
}

/* Matching objects, by name. */
struct found_objects {
	struct traces *t;
	struct arena *a;
	struct strings names, types, paths;
	struct table by_name;
};

/* Return the index of the matching object NAME of LEN bytes, or SIZE_MAX. */
static size_t find_object(const struct found_objects *f, const char *name,
			  size_t len)
{
	struct table_look look = table_look(&f->by_name, name, len, 0);
	size_t i;

	while (table_next(&look, &i)) {
		if (!strncmp(f->names.items[i], name, len))
			return i;
	}
	return SIZE_MAX;
}

static int search_object(void *ctx, const struct object *o, struct err *e)
{
	struct found_objects *f = ctx;
	const size_t len = strlen(o->name);

	(void)e;
	progress_step(f->t->progress, "objects", ++f->t->objects, 0);
	if (!o->p || !traces_match(f->t, o->p, o->len) ||
	    find_object(f, o->name, len) != SIZE_MAX)
		return 0;
	table_put(&f->by_name, o->name, len, 0, f->names.n);
	strings_add(&f->names, arena_strdup(f->a, o->name));
	strings_add(&f->types, arena_strdup(f->a, o->type));
	strings_add(&f->paths, NULL);
	return 0;
}

/* Record the path of the matching object NAME, and add PATH to PATHS if that or
 * the path itself matches. */
static void record_path(struct found_objects *f, struct strings *paths,
			const char *path, const char *name, size_t len)
{
	const size_t i = find_object(f, name, len);

	if (i != SIZE_MAX && !f->paths.items[i])
		f->paths.items[i] = arena_strdup(f->a, path);
	if ((i != SIZE_MAX || traces_match(f->t, path, strlen(path))) &&
	    !strings_has(paths, path))
		strings_add(paths, arena_strdup(f->a, path));
}

/* Parses ":MODE MODE BLOB BLOB LETTERS" and a path, each terminated by NUL. */
struct path_reader {
	struct found_objects *f;
	struct strings *paths;
};

/* Parse the complete part of the output of git log with --raw -z. */
static bool parse_paths(void *ctx, struct buf *out)
{
	const struct path_reader *r = ctx;
	const char *p = out->p, *end = out->p + out->len;

	for (;;) {
		const char *raw = p + (p < end && *p == '\n'), *path, *stop;

		stop = memchr(raw, '\0', (size_t)(end - raw));
		if (!stop)
			break;
		path = stop + 1;
		if (*raw == ':' && !memchr(path, '\0', (size_t)(end - path)))
			break;
		p = path;
		if (*raw != ':')
			continue;
		p += strlen(path) + 1;
		for (size_t at = 0; raw[at]; at += raw[at] != '\0') {
			const size_t len = strcspn(raw + at, " ");

			if (len >= 40)
				record_path(r->f, r->paths, path, raw + at,
					    len);
			at += len;
		}
	}
	memmove(out->p, p, (size_t)(end - p));
	buf_cut(out, (size_t)(end - p));
	return true;
}

/* Find the paths of the objects F in commits, including commits that only a
 * reflog refers to. */
static int find_paths(struct found_objects *f, const char *dir,
		      struct strings *paths, struct err *e)
{
	static const char *const words[] = {"log",
					    "--all",
					    "--reflog",
					    "--raw",
					    "-z",
					    "-m",
					    "--no-renames",
					    "--no-abbrev",
					    "--root",
					    "--no-ext-diff",
					    "--no-textconv",
					    "--no-notes",
					    "-O/dev/null",
					    "--format=",
					    NULL};
	struct path_reader r = {f, paths};

	return git_ask_taking(dir, words, "", 0, parse_paths, &r, e);
}

int traces_look_in_git(struct traces *t, const char *dir, struct strings *paths,
		       struct arena *a, struct err *e)
{
	struct found_objects f = {.t = t, .a = a};
	const size_t before = paths->n;
	int r = objects_each_of_all(dir, search_object, &f, e);

	if (!r)
		r = find_paths(&f, dir, paths, e);
	/* Without a matching object, only the path of an old version is
	 * known. */
	for (size_t i = before; i < paths->n && !f.names.n; i++)
		report_trace(t, arena_printf(a, "git: '%s'", paths->items[i]),
			     "blob");
	for (size_t i = 0; i < f.names.n; i++) {
		const char *path = f.paths.items[i];

		report_trace(t,
			     arena_printf(a, "git: %s %.9s%s%s%s",
					  f.types.items[i], f.names.items[i],
					  path ? " of '" : "", path ? path : "",
					  path ? "'" : ""),
			     f.types.items[i]);
	}
	free(f.names.items);
	free(f.types.items);
	free(f.paths.items);
	table_release(&f.by_name);
	return r ? -1 : 0;
}

void traces_release(struct traces *t)
{
	free(t->wanted.items);
	free(t->wanted.first);
	table_release(&t->wanted.by);
	arena_release(&t->arena);
	t->wanted = (struct traces_wanted){.n = 0};
}
