/* unsaved.c: the file name is a hash of place and source, so that a session
 * that ends twice has one file.
 */
#include "transcript/unsaved.h"

#include "base/hash.h"
#include "base/strings.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "sys/dirs.h"
#include "sys/file-write.h"
#include "text/secrets.h"

#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#define FILE_MAX_BYTES ((size_t)8 * 1024 * 1024)
#define ENDING ".json"

int unsaved_add(struct unsaved *u, const char *p, size_t len)
{
	struct secrets *s = secrets_new();
	struct secret found;
	const bool keeps = secrets_find(s, p, len, 0, &found, NULL) == 0;

	if (keeps) {
		buf_adds(&u->texts, u->n++ ? "," : "");
		json_write_str(&u->texts, p, len);
	}
	secrets_free(s);
	return keeps;
}

/* Append the path of the directory. */
static int add_dir(struct buf *path, struct err *e)
{
	char *state;

	if (dirs_state(&state, e) < 0)
		return -1;
	buf_addf(path, "%s/" UNSAVED_DIR, state);
	free(state);
	return 0;
}

/* Append the name of the file for PLACE and SOURCE. */
static void add_name(struct buf *name, const char *place, const char *source)
{
	buf_addf(name, "%016" PRIx64 "%016" PRIx64 ENDING,
		 hash_bytes(place, strlen(place), 0),
		 hash_bytes(source, strlen(source), 0));
}

int unsaved_keep(const struct unsaved *u, struct err *e)
{
	struct buf path = {0}, name = {0}, text = {0};
	int dir = -1, r = add_dir(&path, e);

	if (!r)
		r = file_make_path(path.p, 0700, &dir, e);
	if (!r) {
		add_name(&name, u->place, u->source);
		buf_addf(&path, "/%s", name.p);
		json_write_open(&text, NULL, '{');
		json_write_text(&text, "place", u->place);
		json_write_text(&text, "source", u->source);
		json_write_text(&text, "why", u->why);
		json_write_open(&text, "texts", '[');
		buf_add(&text, buf_str(&u->texts), u->texts.len);
		json_write_close(&text, ']');
		json_write_close(&text, '}');
		buf_addc(&text, '\n');
		r = file_create(dir, name.p, path.p, 0600, text.p, text.len, e);
		if (r == 0)
			r = file_replace(dir, name.p, path.p, text.p, text.len,
					 e);
		close(dir);
	}
	buf_release(&path);
	buf_release(&name);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* Open the directory and append its path to PATH. Return 1, with *DIR to be
 * closed by the caller; 0 if nothing is stored; -1. */
static int open_dir(struct buf *path, int *dir, struct err *e)
{
	if (!dirs_known() || add_dir(path, e) < 0)
		return 0;
	return file_open_dir(AT_FDCWD, path->p, path->p, dir, e);
}

void unsaved_drop(const char *place, const char *source)
{
	struct buf path = {0}, name = {0};
	int dir;

	if (open_dir(&path, &dir, NULL) == 1) {
		add_name(&name, place, source);
		unlinkat(dir, name.p, 0);
		close(dir);
	}
	buf_release(&path);
	buf_release(&name);
}

/* The names of the files of one place. */
struct name_list {
	struct buf begin;
	struct strings list;
	struct arena *a;
};

static int add_name_of_place(void *ctx, const char *name, enum file_kind kind)
{
	struct name_list *n = ctx;

	if (kind == FILE_REGULAR && !strncmp(name, n->begin.p, n->begin.len) &&
	    strlen(name) == 32 + strlen(ENDING))
		strings_add(&n->list, arena_strdup(n->a, name));
	return 0;
}

/* Read the file NAME of DIR into V, in A. Return 1, 0 if it is gone or of
 * another PLACE, -1. */
static int read_unsaved(int dir, const char *name, const char *place,
			struct value *v, struct arena *a, struct err *e)
{
	struct buf text = {0};
	const struct value *texts;
	int r = file_read(dir, name, name, FILE_MAX_BYTES, &text, e);

	if (r == 1 && json_parse(arena_copy(a, buf_str(&text), text.len),
				 text.len, a, v, e) < 0)
		r = -1;
	buf_release(&text);
	if (r != 1)
		return r;
	texts = value_get(v, "texts");
	if (!texts || texts->kind != VALUE_LIST || !value_text(v, "source") ||
	    !value_text(v, "place"))
		return err_set(e, ERR_DATA, "'" UNSAVED_DIR "/%s' is damaged",
			       name);
	return !strcmp(value_text(v, "place"), place);
}

/* Call FN with each text of V. Return 0 if it returned 0 for all. */
static int each_text(const struct value *v, unsaved_fn *fn, void *ctx,
		     struct err *e)
{
	const struct value *texts = value_get(v, "texts");
	int r = 0;

	for (size_t i = 0; i < texts->u.list.n && !r; i++) {
		const struct value *t = &texts->u.list.items[i];

		if (t->kind == VALUE_STR)
			r = fn(ctx, value_text(v, "source"), t->u.s.p,
			       t->u.s.len, e);
	}
	return r;
}

/* List the files of PLACE in the directory DIR, called PATH. */
static int find_names(struct name_list *n, int dir, const char *path,
		      const char *place, struct err *e)
{
	buf_addf(&n->begin, "%016" PRIx64, hash_bytes(place, strlen(place), 0));
	return file_walk(dir, path, add_name_of_place, n, e);
}

int unsaved_each(const char *place, unsaved_fn *fn, void *ctx, struct err *e)
{
	struct arena a = {0};
	struct name_list n = {.a = &a};
	struct buf path = {0};
	struct value v;
	bool failed = false;
	int dir, r = open_dir(&path, &dir, e);

	if (r == 1) {
		r = find_names(&n, dir, path.p, place, e);
		for (size_t i = 0; i < n.list.n && r >= 0; i++) {
			r = read_unsaved(dir, n.list.items[i], place, &v, &a,
					 e);
			if (r == 1) {
				r = each_text(&v, fn, ctx, e);
				if (!r)
					unlinkat(dir, n.list.items[i], 0);
			} else if (r < 0) {
				failed = true; /* the other files may be read */
				r = 0;
			}
		}
		close(dir);
	}
	free(n.list.items);
	buf_release(&n.begin);
	buf_release(&path);
	arena_release(&a);
	return r < 0 || failed ? -1 : 0;
}

size_t unsaved_count(const char *place, const char **why, struct arena *a)
{
	struct name_list n = {.a = a};
	struct buf path = {0};
	struct value v;
	size_t found = 0;
	int dir;

	if (open_dir(&path, &dir, NULL) == 1) {
		find_names(&n, dir, path.p, place, NULL);
		for (size_t i = 0; i < n.list.n; i++) {
			if (read_unsaved(dir, n.list.items[i], place, &v, a,
					 NULL) != 1)
				continue;
			found += value_get(&v, "texts")->u.list.n;
			if (why)
				*why = value_text(&v, "why");
		}
		close(dir);
	}
	free(n.list.items);
	buf_release(&n.begin);
	buf_release(&path);
	return found;
}
