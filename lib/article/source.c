/* source.c: co-fetch writes its metadata to standard error, as one line with a
 * JSON object. */
#include "article/source.h"

#include "format/json-read.h"
#include "sys/execpath.h"
#include "sys/process.h"

#define FETCH_MS 60000	 /* longer than the limit of co-fetch */
#define EXTRACT_MS 90000 /* longer than the limit of co-text-extract */
#define INPUT_MAX ((size_t)8 * 1024 * 1024)

bool source_is_url(const char *source)
{
	return !strncmp(source, "http://", 7) ||
	       !strncmp(source, "https://", 8);
}

/* Set E from the exit of C, named NAME: its last message. Returns -1. */
static int set_failure(const struct process *c, const char *name, struct err *e)
{
	const char *last = NULL, *p = buf_str(&c->errors);
	const size_t len = strlen(name);
	enum err_code code = ERR_HELPER;

	for (; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		if (!strncmp(p, name, len) && !strncmp(p + len, ": ", 2))
			last = p + len + 2;
	}
	if (c->status >= ERR_NO && c->status <= ERR_HELPER)
		code = (enum err_code)c->status;
	if (c->late)
		return err_set(e, ERR_SYSTEM, "'%s' takes too long", name);
	if (!last)
		return err_set(e, code, "'%s' failed with status %d", name,
			       c->status);
	return err_set(e, code, "%.*s", (int)strcspn(last, "\n"), last);
}

/* Run WORDS, a program of co, with the input IN. The result is in C, also if
 * the program fails. Returns 0, or -1 if it cannot run. */
static int run_program(struct process *c, const char **words,
		       const struct buf *in, int ms, struct err *e)
{
	const char *name = words[0];
	struct buf path = {0};
	int r;

	if (!execpath_find(&path, name, NULL)) {
		buf_release(&path);
		return err_set(e, ERR_HELPER,
			       "there is no '%s': it is made where its "
			       "libraries are, see 'make deps'",
			       name);
	}
	words[0] = path.p;
	r = process_run(c, words, in ? buf_str(in) : "", in ? in->len : 0, ms,
			e);
	words[0] = name;
	buf_release(&path);
	return r;
}

/* Parse the first line of TEXT that is an object into *V, allocated in A. */
static bool find_object(const struct buf *text, struct value *v,
			struct arena *a)
{
	const char *p = buf_str(text);

	for (; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		const size_t len = strcspn(p, "\n");

		if (*p == '{' && json_parse(p, len, a, v, NULL) == 0)
			return true;
	}
	return false;
}

/* Convert the original of B with co-text-extract. */
static int run_extract(struct source *b, const char *base, const char *type,
		       struct arena *a, struct err *e)
{
	const char *words[6] = {"co-text-extract", "--json", "--large"};
	struct process c = {0};
	struct value v;
	size_t n = 3;
	int r = -1;

	if (base)
		words[n++] = arena_printf(a, "--base=%s", base);
	if (type)
		words[n++] = arena_printf(a, "--type=%s", type);
	if (run_program(&c, words, &b->original, EXTRACT_MS, e) < 0)
		goto out;
	if (c.status || c.late || c.flooded) {
		set_failure(&c, words[0], e);
		goto out;
	}
	if (json_parse(buf_str(&c.output), c.output.len, a, &v, e) < 0)
		goto out;
	article_take_extract(&b->article, &v);
	b->type = value_text(&v, "type");
	b->bytes = b->original.len;
	if (b->type && strncmp(b->type, "text/", 5) != 0 &&
	    strcmp(b->type, "application/xhtml+xml") != 0)
		b->article.attachment = &b->original;
	r = 0;
out:
	process_release(&c);
	return r;
}

int source_fetch(struct source *b, const char *url, struct arena *a,
		 struct err *e)
{
	const char *words[7] = {"co-fetch", "--meta=/dev/fd/2"};
	const char *type, *charset;
	struct process c = {0};
	struct value meta = {0};
	size_t n = 2;
	int r = -1;

	if (b->etag)
		words[n++] = arena_printf(a, "--etag=%s", b->etag);
	if (b->modified)
		words[n++] = arena_printf(a, "--modified=%s", b->modified);
	if (b->allow_private)
		words[n++] = "--allow-private";
	words[n++] = url;
	if (run_program(&c, words, NULL, FETCH_MS, e) < 0)
		goto out;
	if (find_object(&c.errors, &meta, a))
		b->status = (long)value_positive(&meta, "status");
	if (c.status || c.late || c.flooded || !b->status) {
		set_failure(&c, words[0], e);
		goto out;
	}
	buf_add(&b->original, buf_str(&c.output), c.output.len);
	article_take_meta(&b->article, &meta);
	b->article.attachment_name = value_text(&meta, "final");
	type = value_text(&meta, "type");
	charset = value_text(&meta, "charset");
	if (type && charset)
		type = arena_printf(a, "%s; charset=%s", type, charset);
	r = run_extract(b, value_text(&meta, "final"), type, a, e);
out:
	process_release(&c);
	return r;
}

int source_read(struct source *b, const char *path, const char *source,
		struct arena *a, struct err *e)
{
	if (file_read_path(path, INPUT_MAX, &b->original, e) < 0)
		return -1;
	b->article.source = source;
	b->article.attachment_name = path;
	return run_extract(b, NULL, NULL, a, e);
}

void source_release(struct source *b)
{
	buf_release(&b->original);
}

/* Return the directory of S's root, with a slash, allocated in A; "" for the
 * user store. */
static const char *project_dir(const struct store *s, struct arena *a)
{
	const char *root = s->repo.root.path;
	const char *slash = root ? strrchr(root, '/') : NULL;

	if (!slash || s->repo.root.scope == SCOPE_GLOBAL)
		return "";
	return arena_copy(a, root, (size_t)(slash - root) + 1);
}

const char *source_name_of(const struct store *s, const char *path,
			   struct arena *a, struct err *e)
{
	const char *absolute = file_absolute(path, a, e);
	const char *folder = project_dir(s, a);
	const size_t len = strlen(folder);

	if (!absolute || !len || strncmp(absolute, folder, len) != 0)
		return absolute;
	return arena_printf(a, "./%s", absolute + len);
}

const char *source_path_of(const struct store *s, const char *source,
			   struct arena *a, struct err *e)
{
	const char *folder = project_dir(s, a), *path = source, *real;

	if (*folder)
		path = arena_printf(a, "%s%s", folder, source + 2);
	real = file_absolute(path, a, e);
	if (real && strncmp(real, folder, strlen(folder)) != 0) {
		err_set(e, ERR_DATA, "'%s' leads out of the project", path);
		real = NULL;
	}
	return real ? path : NULL;
}

bool source_is_path(const struct store *s, const char *source, struct arena *a)
{
	return *project_dir(s, a)
		       ? !strncmp(source, "./", 2) && !strstr(source, "/../")
		       : *source == '/';
}
