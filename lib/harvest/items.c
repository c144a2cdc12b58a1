#include "harvest/items.h"

#include "base/strings.h"
#include "harvest/file-notes.h"
#include "harvest/rewrite.h"
#include "text/conflict.h"
#include "base/table.h"
#include "harvest/item-file.h"
#include "store/secret-gate.h"

#include <unistd.h>

/* Read NAME of DIR, whose path is PATH, for a reader: only our side of an
 * unresolved merge, which is reported. Returns 1, 0 if it is absent, or -1. */
static int read_ours(struct store *s, int dir, const char *name,
		     const char *path, struct buf *text, struct err *e)
{
	struct arena a = {0};
	struct err why;
	size_t len, line;
	const char *ours;
	int r = file_read(dir, name, path, ITEM_FILE_MAX, text, e);

	if (r != 1)
		return r;
	len = text->len;
	ours = conflict_ours(text->p ? text->p : "", &len, &a, &line);
	if (line) {
		conflict_err(&why, path, line,
			     record_scope_option(s->repo.root.scope));
		err_report(s->report, &why);
		buf_cut(text, 0);
		buf_add(text, ours, len);
	}
	arena_release(&a);
	return 1;
}

int items_read(struct store *s, enum category c, struct buf *text,
	       struct err *e)
{
	struct arena a = {0};
	int r = 0;

	buf_cut(text, 0);
	if (s->repo.fd >= 0)
		r = read_ours(s, s->repo.fd, category_file(c),
			      layout_path(&s->repo, category_file(c), &a), text,
			      e);
	arena_release(&a);
	return r;
}

/* An iteration over items. */
struct items_walk {
	struct store *store;
	items_fn *fn;
	void *ctx;
	struct arena arena; /* holds the current item */
};

/* Call FN for each item in TEXT, the file of category C; PATH is the file that
 * notes are about. */
static int walk_text(struct items_walk *w, enum category c, const char *path,
		     const struct buf *text)
{
	struct item_walk walk = {.p = buf_str(text), .len = text->len};
	struct items_entry entry = {.category = c, .path = path};
	struct item_span span;
	int r = 0;

	while (!r && item_walk_next(&walk, &span)) {
		arena_reset(&w->arena);
		entry.done = c == CATEGORY_TASKS && span.done;
		if (item_read(&entry.item, walk.p, &span, &w->arena))
			r = w->fn(w->ctx, &entry);
	}
	return r;
}

static int collect_notes(void *ctx, const char *name, enum file_kind kind)
{
	if (kind == FILE_REGULAR && file_notes_is_name(name))
		strings_add(ctx, mem_strdup(name));
	return 0;
}

/* Call FN for each item in the notes NAME of DIR. */
static int walk_notes(struct items_walk *w, int dir, const char *name,
		      struct err *e)
{
	struct arena a = {0};
	struct buf text = {0};
	const char *path = arena_printf(&a, "%s/%s/%s", w->store->repo.path,
					FILE_NOTES_FOLDER, name);
	int r = read_ours(w->store, dir, name, path, &text, e);

	if (r < 0)
		err_report(w->store->report, e);
	else if (r == 1)
		r = walk_text(w, CATEGORY_FILES,
			      file_notes_about(buf_str(&text), text.len, &a),
			      &text);
	buf_release(&text);
	arena_release(&a);
	return r < 0 ? 0 : r;
}

/* Call FN for each item in the notes about files, in the order of their
 * names. */
static int walk_folder(struct items_walk *w, struct err *e)
{
	struct strings names = {0};
	struct err why;
	int dir, r = layout_open(&w->store->repo, FILE_NOTES_FOLDER, &dir, e);

	if (r != 1)
		return r;
	r = file_walk(
		dir, layout_path(&w->store->repo, FILE_NOTES_FOLDER, &w->arena),
		collect_notes, &names, e);
	if (names.n)
		qsort(names.items, names.n, sizeof(*names.items),
		      strings_compare);
	for (size_t i = 0; i < names.n; i++) {
		if (!r)
			r = walk_notes(w, dir, names.items[i], &why);
		free((void *)(uintptr_t)names.items[i]);
	}
	free(names.items);
	close(dir);
	return r;
}

int items_each(struct store *s, unsigned categories, items_fn *fn, void *ctx,
	       struct err *e)
{
	struct items_walk w = {.store = s, .fn = fn, .ctx = ctx};
	struct buf text = {0};
	struct err why;
	int r = 0, found;

	for (enum category c = CATEGORY_FACTS; c < CATEGORY_FILES; c++) {
		if (r || !(categories & 1u << c))
			continue;
		found = items_read(s, c, &text, &why);
		if (found < 0)
			err_report(s->report, &why);
		else if (found)
			r = walk_text(&w, c, NULL, &text);
	}
	if (!r && (categories & 1u << CATEGORY_FILES))
		r = walk_folder(&w, e);
	buf_release(&text);
	arena_release(&w.arena);
	return r;
}

/* A task to finish.  The first call finds it by its number N, later ones by its
 * text, since the file may have changed. */
struct finishing {
	size_t n;
	struct arena *a;
	struct item *item; /* its text is NULL before it is found */
};

/* Find the task of F in WAS.  Sets SPAN and F->item, or returns false. */
static bool find_task(struct finishing *f, const struct buf *was,
		      struct item_span *span)
{
	struct item_walk walk = {.p = buf_str(was), .len = was->len};
	struct item it;
	size_t n = 0;

	while (item_walk_next(&walk, span)) {
		if (span->done || !item_read(&it, walk.p, span, f->a))
			continue;
		n++;
		if (f->item->text ? !strcmp(it.text, f->item->text)
				  : n == f->n) {
			*f->item = it;
			return true;
		}
	}
	return false;
}

/* A rewrite_fn: move the task to the done tasks. */
static int move_task(void *ctx, const struct buf *was, struct buf *text,
		     struct err *e)
{
	struct buf line = {0}, rest = {0};
	struct item_span span;

	(void)e;
	if (!find_task(ctx, was, &span))
		return 0;
	for (size_t i = span.start; i < span.end; i++) {
		if (was->p[i] != '\r')
			buf_addc(&line, was->p[i]);
	}
	if (line.p[line.len - 1] != '\n')
		buf_addc(&line, '\n');
	item_file_cut(&rest, was, &span);
	item_file_add(text, &rest, CATEGORY_TASKS, true, &line);
	buf_release(&line);
	buf_release(&rest);
	return 1;
}

int items_finish(struct store *s, size_t n, struct arena *a, struct item *it,
		 struct err *e)
{
	struct finishing f = {n, a, it};
	const struct rewrite rw = {s,	      "", category_file(CATEGORY_TASKS),
				   move_task, &f, 0};
	int r;

	*it = (struct item){0};
	if (s->repo.fd < 0 || !n)
		return 0;
	if (store_lock(s, e) < 0)
		return -1;
	r = rewrite_file(&rw, e);
	store_unlock(s);
	return r;
}

/* To add items, they are grouped by target file, and each file is replaced once. A
 * note about a file that does not exist becomes a fact. */

/* An item to add. */
struct addition {
	enum reply_key key;
	const char *text;
	size_t len;
	const char *path; /* of a note; NULL: add it as a fact */
	enum fate { WAITS, ADDED, KNOWN, OVER } fate;
};
