/* unsaved.c: the file name is a hash of store and source, so that a session
 * that ends twice has one file, with the texts of both ends. A process that writes a
 * file, or removes one whose texts it read, holds the lock of the directory, so that no
 * texts are lost that come meanwhile. If the file cannot be read, or the directory
 * cannot be locked, the texts get a file of their own.
 */
#include "transcript/unsaved.h"

#include "base/hash.h"
#include "base/strings.h"
#include "format/json-read.h"
#include "sys/dirs.h"
#include "sys/file-write.h"
#include "sys/lock.h"
#include "text/secrets.h"

#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#define UNSAVED_DIR "unsaved"
#define FILE_MAX_BYTES ((size_t)8 * 1024 * 1024)
#define ENDING ".json"
#define FILES_MAX 100 /* of one store and source */

static void add_text(struct unsaved *u, const char *p, size_t len)
{
	buf_adds(&u->texts, u->n++ ? "," : "");
	json_write_str(&u->texts, p, len);
}

int unsaved_add(struct unsaved *u, const char *p, size_t len)
{
	struct secrets *s = secrets_new();
	struct secret found;
	const bool keeps = secrets_find(s, p, len, 0, &found, NULL) == 0;

	if (keeps)
		add_text(u, p, len);
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

/* Append the name of the file NUMBER, from 0, for STORE and SOURCE. */
static void add_name(struct buf *name, const struct identity *store,
		     const char *source, unsigned number)
{
	const char *which = *store->dir ? store->dir : store->path;

	buf_addf(name, "%016" PRIx64 "%016" PRIx64 ENDING,
		 hash_bytes(which, strlen(which), 0),
		 hash_bytes(source, strlen(source), number));
}

/* Append the contents of the file for U. */
static void format_unsaved(struct buf *text, const struct unsaved *u)
{
	json_write_open(text, NULL, '{');
	json_write_open(text, "store", '{');
	identity_write(text, u->store);
	json_write_close(text, '}');
	json_write_text(text, "source", u->source);
	json_write_text(text, "why", u->why);
	json_write_open(text, "texts", '[');
	buf_add(text, buf_str(&u->texts), u->texts.len);
	json_write_close(text, ']');
	json_write_end(text);
}

/* Open the directory and append its path to PATH. Return 1, with *DIR to be
 * closed by the caller; 0 if nothing is stored; -1. */
static int open_dir(struct buf *path, int *dir, struct err *e)
{
	if (!dirs_known() || add_dir(path, e) < 0)
		return 0;
	return file_open_dir(AT_FDCWD, path->p, path->p, dir, e);
}

/* A walk over the files. The members after DIR describe the current file. */
struct unsaved_files {
	const struct identity *store;
	struct arena a;
	struct buf path;
	struct strings names;
	int dir;

	const char *name;
	struct buf text;
	struct value v;
	struct identity was; /* the store that the file is for */
	bool proven;	     /* true if that is STORE */
};

static int add_file_name(void *ctx, const char *name, enum file_kind kind)
{
	struct unsaved_files *f = ctx;

	if (kind == FILE_REGULAR && strlen(name) == 32 + strlen(ENDING))
		strings_add(&f->names, arena_strdup(&f->a, name));
	return 0;
}

/* Open the directory and list its files in F. Return 1, 0 if nothing is stored,
 * or -1. In each case, release F with close_files(). */
static int open_files(struct unsaved_files *f, const struct identity *store,
		      struct err *e)
{
	int r;

	*f = (struct unsaved_files){.store = store, .dir = -1};
	r = open_dir(&f->path, &f->dir, e);
	if (r == 1 && file_walk(f->dir, f->path.p, add_file_name, f, e) < 0)
		r = -1;
	return r;
}

static void close_files(struct unsaved_files *f)
{
	file_close(f->dir);
	free(f->names.items);
	buf_release(&f->path);
	buf_release(&f->text);
	arena_release(&f->a);
}

/* Read the file NAME into F. Return 1, 0 if it is gone, or -1. */
static int read_unsaved(struct unsaved_files *f, const char *name,
			struct err *e)
{
	const struct value *texts, *store;
	struct buf *text = &f->text;
	const char *path = arena_printf(&f->a, "%s/%s", f->path.p, name);
	int r = file_read(f->dir, name, path, FILE_MAX_BYTES, text, e);
	struct err why;

	f->name = name;
	if (r != 1)
		return r;
	if (json_parse(arena_copy(&f->a, buf_str(text), text->len), text->len,
		       &f->a, &f->v, &why) < 0)
		return err_set(e, ERR_DATA, "'%s' is damaged: %s", path,
			       why.text);
	texts = value_get(&f->v, "texts");
	store = value_get(&f->v, "store");
	if (!texts || texts->kind != VALUE_LIST ||
	    !value_text(&f->v, "source") || !store ||
	    !identity_parse(&f->was, store))
		return err_set(e, ERR_DATA, "'%s' is damaged", path);
	f->proven = identity_is_same(f->store, &f->was);
	return 1;
}

/* Add the texts of F that U does not have to ALL, then those of U. */
static int join_texts(struct unsaved *all, struct unsaved_files *f,
		      const struct unsaved *u)
{
	const struct value *old = value_get(&f->v, "texts");
	struct buf text = {0};
	struct value new;
	int r;

	format_unsaved(&text, u);
	r = json_parse(text.p, text.len, &f->a, &new, NULL);
	for (size_t i = 0; i < old->u.list.n && !r; i++) {
		const struct value *t = &old->u.list.items[i];

		if (t->kind == VALUE_STR &&
		    !value_has_item(value_get(&new, "texts"), t))
			add_text(all, t->u.s.p, t->u.s.len);
	}
	buf_adds(&all->texts, all->n && u->n ? "," : "");
	buf_add(&all->texts, buf_str(&u->texts), u->texts.len);
	buf_release(&text);
	return r;
}

/* Store U in the file NAME of F, with the texts that it has. Without LOCKED, it must
 * not exist. Return 1; 0 if U needs another file; or -1. */
static int keep_in(struct unsaved_files *f, const struct unsaved *u,
		   const char *name, bool locked, struct err *e)
{
	const char *path = arena_printf(&f->a, "%s/%s", f->path.p, name);
	const int there = locked ? read_unsaved(f, name, NULL) : 0;
	struct unsaved all = {
		.store = u->store, .source = u->source, .why = u->why};
	struct buf text = {0};
	int r = 0;

	if (there == 0) {
		format_unsaved(&text, u);
		r = file_create(f->dir, name, path, 0600, text.p, text.len, e);
	} else if (there == 1 && f->proven && join_texts(&all, f, u) == 0) {
		format_unsaved(&text, &all);
		if (text.len <= FILE_MAX_BYTES)
			r = file_replace(f->dir, name, path, text.p, text.len,
					 e)
				    ? -1
				    : 1;
	}
	buf_release(&all.texts);
	buf_release(&text);
	return r;
}

int unsaved_keep(const struct unsaved *u, struct err *e)
{
	struct unsaved_files f = {.store = u->store, .dir = -1};
	struct buf name = {0};
	int lock, r = add_dir(&f.path, e);
	bool locked;

	if (!r)
		r = file_make_path(f.path.p, 0700, &f.dir, e);
	locked = !r && lock_take(f.dir, f.path.p, &lock, NULL) == 0;
	for (unsigned i = 0; !r && i < FILES_MAX; i++) {
		buf_cut(&name, 0);
		add_name(&name, u->store, u->source, i);
		r = keep_in(&f, u, name.p, locked, e);
	}
	if (!r)
		r = err_set(e, ERR_SYSTEM, "'%s' has too many files of '%s'",
			    f.path.p, u->source);
	if (locked)
		lock_release(f.dir, lock);
	buf_release(&name);
	close_files(&f);
	return r < 0 ? -1 : 0;
}

/* Call FN with each text of F. Return 0 if it returned 0 for all. */
static int each_text(const struct unsaved_files *f, unsaved_fn *fn, void *ctx,
		     struct err *e)
{
	const struct value *texts = value_get(&f->v, "texts");
	int r = 0;

	for (size_t i = 0; i < texts->u.list.n && !r; i++) {
		const struct value *t = &texts->u.list.items[i];

		if (t->kind == VALUE_STR)
			r = fn(ctx, value_text(&f->v, "source"), t->u.s.p,
			       t->u.s.len, e);
	}
	return r;
}

/* Remove the current file of F, unless it has changed since it was read. */
static void remove_if_same(const struct unsaved_files *f)
{
	struct buf is = {0};
	int lock;

	if (lock_take(f->dir, f->path.p, &lock, NULL) < 0)
		return;
	if (file_read(f->dir, f->name, f->name, FILE_MAX_BYTES, &is, NULL) ==
		    1 &&
	    buf_equal(&is, &f->text))
		unlinkat(f->dir, f->name, 0);
	lock_release(f->dir, lock);
	buf_release(&is);
}

int unsaved_each(const struct identity *store, unsaved_fn *fn, void *ctx,
		 struct err *e)
{
	struct unsaved_files f;
	bool failed = false;
	int r = open_files(&f, store, e);

	for (size_t i = 0; i < f.names.n && r >= 0; i++) {
		r = read_unsaved(&f, f.names.items[i], e);
		if (r == 1 && f.proven) {
			r = each_text(&f, fn, ctx, e);
			if (!r)
				remove_if_same(&f);
		} else if (r < 0) {
			failed = true; /* the other files may be read */
			r = 0;
		}
	}
	close_files(&f);
	return r < 0 || failed ? -1 : 0;
}

void unsaved_look(struct unsaved_found *found, const struct identity *store,
		  struct arena *a)
{
	struct unsaved_files f;

	*found = (struct unsaved_found){0};
	open_files(&f, store, NULL);
	for (size_t i = 0; i < f.names.n; i++) {
		if (read_unsaved(&f, f.names.items[i], NULL) != 1)
			continue;
		if (f.proven) {
			found->n += value_get(&f.v, "texts")->u.list.n;
			found->why = arena_strdup(a, value_text(&f.v, "why"));
		} else if (!strcmp(f.was.path, store->path)) {
			found->other =
				arena_printf(a, "%s/%s", f.path.p, f.name);
		}
	}
	close_files(&f);
}

/* Remove the texts from the current file of F for which P->goes() returns true,
 * and the file if none is left. */
static int purge_unsaved(struct unsaved_files *f, const struct unsaved_purge *p,
			 struct err *e)
{
	const struct value *texts = value_get(&f->v, "texts");
	struct unsaved left = {.store = &f->was,
			       .source = value_text(&f->v, "source"),
			       .why = value_text(&f->v, "why")};
	const char *path = arena_printf(&f->a, "%s/%s", f->path.p, f->name);
	struct buf text = {0};
	size_t gone = 0;
	int r = 0;

	for (size_t i = 0; i < texts->u.list.n; i++) {
		const struct value *t = &texts->u.list.items[i];

		if (t->kind == VALUE_STR &&
		    p->goes(p->ctx, t->u.s.p, t->u.s.len))
			gone++;
		else if (t->kind == VALUE_STR)
			add_text(&left, t->u.s.p, t->u.s.len);
	}
	if (gone)
		p->gone(p->ctx, path);
	if (gone && !p->dry && !left.n) {
		r = file_remove(f->dir, f->name, path, e);
	} else if (gone && !p->dry) {
		format_unsaved(&text, &left);
		r = file_replace(f->dir, f->name, path, text.p, text.len, e);
	}
	buf_release(&text);
	buf_release(&left.texts);
	return r < 0 ? -1 : 0;
}

int unsaved_purge(const struct identity *store, const struct unsaved_purge *p,
		  struct err *e)
{
	struct unsaved_files f;
	struct err why;
	int lock, r = open_files(&f, store, e);
	const bool locked = r == 1 && lock_take(f.dir, f.path.p, &lock, e) == 0;

	if (r == 1 && !locked)
		r = -1;
	for (size_t i = 0; i < f.names.n && r >= 0; i++) {
		const int read = read_unsaved(&f, f.names.items[i], &why);

		if (read < 0)
			p->missed(p->ctx, why.text);
		if (read == 1 &&
		    (f.proven || !strcmp(f.was.path, store->path) ||
		     (*store->id && !strcmp(f.was.id, store->id) &&
		      identity_is_gone(&f.was))))
			r = purge_unsaved(&f, p, e);
	}
	if (locked)
		lock_release(f.dir, lock);
	close_files(&f);
	return r < 0 ? -1 : 0;
}
