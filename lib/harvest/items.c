/* items.c: an item file is read whole, and replaced whole by rewrite_file(). */
#include "harvest/items.h"

#include "base/table.h"
#include "harvest/file-notes.h"
#include "harvest/item-file.h"
#include "harvest/rewrite.h"
#include "store/save.h"
#include "text/conflict.h"

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
	struct arena a = {0};
	struct err why;
	int dir, r = layout_open(&w->store->repo, FILE_NOTES_FOLDER, &dir, e);

	if (r != 1)
		return r;
	r = file_notes_list(w->store, &names, &a, e);
	for (size_t i = 0; i < names.n && !r; i++)
		r = walk_notes(w, dir, names.items[i], &why);
	free(names.items);
	arena_release(&a);
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

/* A task to finish. The first call finds it by its number N, later ones by its
 * text, since the file may have changed. */
struct finishing {
	size_t n;
	struct arena *a;
	struct item *item; /* its text is NULL before it is found */
};

/* Find the task of F in WAS. Sets SPAN and F->item, or returns false. */
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
	item_add_raw(&line, was->p + span.start, span.end - span.start);
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

/* A file that gets items. */
struct target {
	struct adding *of;
	enum category category;
	const char *name;
	const char *about; /* the file that notes are about */
	struct addition **items;
	size_t n, cap;
};

struct adding {
	struct store *store;
	struct arena arena;
	const char *from, *date;
	bool named; /* FROM was given, so its items are limited */
	struct addition *items;
	size_t n;
	struct target *targets;
	size_t ntargets, captargets;
};

/* Return the target for category C and the file NAME, adding it if
 * necessary. */
static struct target *find_target(struct adding *ad, enum category c,
				  const char *name, const char *about)
{
	struct target *t = ad->targets;

	for (; t < ad->targets + ad->ntargets; t++) {
		if (t->category == c && !strcmp(t->name, name))
			return t;
	}
	t = MEM_ADD(ad->targets, ad->ntargets, ad->captargets);
	*t = (struct target){ad, c, name, about, NULL, 0, 0};
	return t;
}

/* Add IT to the list of its target file. */
static int assign_target(struct adding *ad, struct addition *it, struct err *e)
{
	enum category c = reply_category(it->key);
	const char *name = NULL, *about = NULL;
	struct target *t;
	int r = 0;

	if (c == CATEGORY_FILES && it->path)
		r = file_notes_locate(ad->store, it->path, &ad->arena, &name,
				      &about, e);
	if (r < 0)
		return -1;
	if (c == CATEGORY_FILES && r == 0) {
		if (it->path)
			it->text = arena_printf(&ad->arena, "%s: %s", it->path,
						it->text);
		it->len = strlen(it->text);
		c = CATEGORY_FACTS;
	}
	t = find_target(ad, c, name ? name : category_file(c), about);
	*MEM_ADD(t->items, t->n, t->cap) = it;
	return 0;
}

/* The items that a file already has. */
struct existing {
	struct arena arena;
	struct table table;
	struct item *items;
	size_t n, cap;
	size_t counted[2]; /* items from FROM: open or other, done */
};

static bool has_text(const struct existing *p, const char *text, size_t len)
{
	struct table_look k = table_look(&p->table, text, len, 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (p->items[i].len == len &&
		    !memcmp(p->items[i].text, text, len))
			return true;
	}
	return false;
}

static void add_text(struct existing *p, const struct item *it)
{
	table_put(&p->table, it->text, it->len, 0, p->n);
	*MEM_ADD(p->items, p->n, p->cap) = *it;
}

static void read_existing(struct existing *p, const struct buf *was,
			  const struct adding *ad)
{
	struct item_walk walk = {.p = buf_str(was), .len = was->len};
	struct item_span span;
	struct item it;

	while (item_walk_next(&walk, &span)) {
		if (!item_read(&it, walk.p, &span, &p->arena))
			continue;
		add_text(p, &it);
		if (ad->named && it.from && !strcmp(it.from, ad->from))
			p->counted[span.done]++;
	}
}

static void release_existing(struct existing *p)
{
	free(p->items);
	table_release(&p->table);
	arena_release(&p->arena);
}

/* Compose LINES, open and done, from the items of T that P lacks. Sets the
 * fate of each item. */
static void compose_lines(struct target *t, struct existing *p,
			  struct buf lines[2])
{
	size_t of_key[REPLY_KEYS] = {0};

	for (size_t i = 0; i < t->n; i++) {
		struct addition *it = t->items[i];
		const bool done = it->key == REPLY_TASKS_DONE;

		if (has_text(p, it->text, it->len)) {
			it->fate = it->fate == ADDED ? ADDED : KNOWN;
		} else if (p->counted[done] + of_key[it->key] >= ADD_MOST) {
			it->fate = OVER;
		} else {
			it->fate = ADDED;
			of_key[it->key]++;
			item_add(&lines[done], it->text, it->len, t->of->from,
				 t->of->date);
			add_text(p, &(struct item){.text = it->text,
						   .len = it->len});
		}
	}
}

/* A rewrite_fn: compose the file of the target CTX with its new items. */
static int compose_file(void *ctx, const struct buf *was, struct buf *text,
			struct err *e)
{
	struct target *t = ctx;
	struct buf lines[2] = {0}, with = {0}, labelled = {0};
	struct existing present = {0};
	const struct buf *base = was;
	const bool any = (read_existing(&present, was, t->of),
			  compose_lines(t, &present, lines),
			  lines[0].len || lines[1].len);

	(void)e;
	if (any && t->about) {
		file_notes_label(&labelled, was, t->about, &present.arena);
		base = &labelled;
	}
	if (any && lines[0].len) {
		item_file_add(lines[1].len ? &with : text, base, t->category,
			      false, &lines[0]);
		base = &with;
	}
	if (any && lines[1].len)
		item_file_add(text, base, t->category, true, &lines[1]);
	release_existing(&present);
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		buf_release(&lines[i]);
	buf_release(&with);
	buf_release(&labelled);
	return any;
}

/* Add all items to their files. The caller holds the lock. */
static int write_all(struct adding *ad, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < ad->n && !r; i++)
		r = assign_target(ad, &ad->items[i], e);
	/* Check all files before writing the first. */
	for (int write = 0; write < 2 && r >= 0; write++) {
		for (size_t i = 0; i < ad->ntargets && r >= 0; i++) {
			struct target *t = &ad->targets[i];
			const struct rewrite rw = {
				ad->store, t->about ? FILE_NOTES_FOLDER : "",
				t->name,   compose_file,
				t,	   0};

			r = write ? rewrite_file(&rw, e)
				  : rewrite_check(&rw, e);
		}
	}
	return r < 0 ? -1 : 0;
}

/* Select the items of R that may be saved. Items that look like a secret are
 * reported and counted. */
static void screen_items(struct adding *ad, const struct reply *r,
			 struct items_added *added)
{
	size_t whole[REPLY_KEYS] = {0};
	struct err why;

	ad->items = arena_alloc(&ad->arena, (r->n + 1) * sizeof(*ad->items));
	for (size_t i = 0; i < r->n; i++) {
		const struct reply_item *it = &r->items[i];
		const char *where =
			arena_printf(&ad->arena, "item %zu of %s", it->number,
				     reply_key_name(it->key));

		if (secret_gate_text(ad->store, it->text, it->len, NULL, 0,
				     where, &why) < 0 ||
		    (it->path &&
		     secret_gate_text(ad->store, it->path, strlen(it->path),
				      NULL, 0, where, &why) < 0)) {
			err_report(ad->store->report, &why);
			added->refused[it->key]++;
		} else if (whole[it->key] == ADD_MOST &&
			   it->key == REPLY_FILES) {
			added->over[it->key]++;
		} else {
			whole[it->key]++;
			ad->items[ad->n++] = (struct addition){
				it->key, it->text, it->len, it->path, WAITS};
		}
	}
}

static void count_fates(const struct adding *ad, struct items_added *added)
{
	for (size_t i = 0; i < ad->n; i++) {
		const struct addition *it = &ad->items[i];

		(it->fate == ADDED   ? added->added
		 : it->fate == KNOWN ? added->known
				     : added->over)[it->key]++;
	}
}

int items_add(struct store *s, const struct reply *r, const char *from,
	      const char *date, struct items_added *added, struct err *e)
{
	struct adding ad = {.store = s, .date = date, .named = from != NULL};
	struct buf name = {0};
	int result = 0;

	*added = (struct items_added){0};
	if (from && secret_gate_text(s, from, strlen(from), NULL, 0,
				     "the conversation's name", e) < 0)
		return -1;
	item_clean_from(&name, from ? from : "");
	ad.from = name.len ? name.p : ADD_FROM;
	screen_items(&ad, r, added);
	if (ad.n) {
		result = store_lock(s, e);
		if (!result) {
			result = write_all(&ad, e);
			store_unlock(s);
		}
	}
	count_fates(&ad, added);
	for (size_t i = 0; i < ad.ntargets; i++)
		free(ad.targets[i].items);
	free(ad.targets);
	arena_release(&ad.arena);
	buf_release(&name);
	return result;
}
