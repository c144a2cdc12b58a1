/* item-trash.c: a removal may be interrupted between the copy and the cut, so restoring
 * an item that is still in its place does nothing.
 */
#include "harvest/items.h"

#include "harvest/file-notes.h"
#include "harvest/rewrite.h"
#include "store/trash.h"

#include <unistd.h>

#define NAME "item-" /* prefix of the files in a removal */
#define HEAD_MAX ((size_t)64 * 1024)

/* A removal being made. */
struct removal {
	struct store *store;
	const char *text;
	struct arena arena;
	const char *file;   /* the file being searched, below knowledge/ */
	const char *folder; /* in the trash; NULL until needed */
	int fd;		    /* of FOLDER, or -1 */
	size_t kept;	    /* number of files in FOLDER */
};

/* Return true if the item at S of P must be removed: TEXT equals its text or
 * its line. IT gets the item. */
static bool is_wanted(struct removal *rm, const char *p,
		      const struct item_span *s, struct item *it)
{
	struct buf line = {0};
	bool same;

	if (!item_read(it, p, s, &rm->arena))
		return false;
	if (!strcmp(it->text, rm->text))
		return true;
	if (!it->from)
		return false;
	item_add(&line, it->text, it->len, it->from, it->date);
	buf_cut(&line, line.len - 1);
	same = !strcmp(line.p, rm->text) || !strcmp(line.p + 2, rm->text);
	buf_release(&line);
	return same;
}

/* Save the item at S of WAS as a file in the trash. */
static int save_in_trash(struct removal *rm, const struct buf *was,
			 const struct item_span *s, struct err *e)
{
	struct buf text = {0};
	const size_t end = s->start - (s->start > 0);
	size_t before = end;
	const char *name, *path;
	int r;

	if (!rm->folder && trash_folders_new(rm->store, &rm->arena, &rm->folder,
					     &rm->fd, e) < 0)
		return -1;
	while (before > 0 && was->p[before - 1] != '\n')
		before--;
	buf_addf(&text, "%s\n%zu\n%s\n", rm->file, s->start,
		 s->done ? "done" : "open");
	buf_add(&text, was->p + before, end - before);
	buf_addc(&text, '\n');
	buf_add(&text, was->p + s->start, s->end - s->start);
	name = arena_printf(&rm->arena, NAME "%zu", ++rm->kept);
	path = arena_printf(&rm->arena, "%s/%s/%s", rm->store->repo.path,
			    rm->folder, name);
	r = file_create_from(rm->store->repo.fd, rm->fd, name, path,
			     root_file_mode(&rm->store->repo.root), text.p,
			     text.len, e);
	buf_release(&text);
	if (r == 0)
		return err_set(e, ERR_SYSTEM, "'%s' exists already", path);
	return r < 0 ? -1 : 0;
}

/* Delete the files of the removal after the first FROM: they are not needed. */
static void delete_saved(struct removal *rm, size_t from)
{
	for (; rm->kept > from; rm->kept--)
		unlinkat(rm->fd, arena_printf(&rm->arena, NAME "%zu", rm->kept),
			 0);
}

/* The removal of items from one file; a rewrite may repeat it. */
struct removal_file {
	struct removal *of;
	size_t kept; /* value of OF->KEPT before this file */
};

/* A rewrite_fn: save the wanted items in the trash and leave them out. */
static int cut_wanted(void *ctx, const struct buf *was, struct buf *text,
		      struct err *e)
{
	struct removal_file *f = ctx;
	struct item_walk walk = {.p = buf_str(was), .len = was->len};
	struct item_span span;
	struct item it;
	size_t at = 0;

	while (item_walk_next(&walk, &span)) {
		if (!is_wanted(f->of, walk.p, &span, &it))
			continue;
		if (!at) /* discard the files of an earlier try */
			delete_saved(f->of, f->kept);
		if (save_in_trash(f->of, was, &span, e) < 0)
			return -1;
		buf_add(text, walk.p + at, span.start - at);
		at = span.end;
	}
	buf_add(text, walk.p + at, was->len - at);
	return at > 0;
}

/* A rewrite_fn for rewrite_check(): return 1 if a wanted item exists. */
static int has_wanted(void *ctx, const struct buf *was, struct buf *text,
		      struct err *e)
{
	const struct removal_file *f = ctx;
	struct item_walk walk = {.p = buf_str(was), .len = was->len};
	struct item_span span;
	struct item it;

	(void)text;
	(void)e;
	while (item_walk_next(&walk, &span)) {
		if (is_wanted(f->of, walk.p, &span, &it))
			return 1;
	}
	return 0;
}

/* Remove the wanted items from the file NAME in FOLDER. */
static int remove_from(struct removal *rm, const char *folder, const char *name,
		       struct err *e)
{
	struct removal_file f = {rm, rm->kept};
	const struct rewrite rw = {rm->store, folder, name, cut_wanted, &f, 0};
	const struct rewrite look = {rm->store,	 folder, name,
				     has_wanted, &f,	 0};
	int r;

	rm->file = *folder ? arena_printf(&rm->arena, "%s/%s", folder, name)
			   : name;
	r = rewrite_file(&rw, e);
	/* If the items are still in place, discard their copies. */
	if (r < 0 && rewrite_check(&look, NULL) == 1)
		delete_saved(rm, f.kept);
	return r;
}

static int remove_notes(struct removal *rm, struct err *e)
{
	struct strings names = {0};
	int r = file_notes_list(rm->store, &names, &rm->arena, e);

	for (size_t i = 0; i < names.n && r >= 0; i++)
		r = remove_from(rm, FILE_NOTES_FOLDER, names.items[i], e);
	free(names.items);
	return r;
}

int item_trash_remove(struct store *s, enum category c, const char *text,
		      item_trash_fn *fn, void *ctx, struct err *e)
{
	struct removal rm = {.store = s, .text = text, .fd = -1};
	int r;

	if (s->repo.fd < 0)
		return 0;
	if (store_lock(s, e) < 0)
		return -1;
	r = c == CATEGORY_FILES ? remove_notes(&rm, e)
				: remove_from(&rm, "", category_file(c), e);
	for (size_t i = 1; i <= rm.kept; i++)
		fn(ctx, arena_printf(&rm.arena, "%s/%s/" NAME "%zu",
				     s->repo.path, rm.folder, i));
	file_close(rm.fd);
	if (rm.folder && !rm.kept)
		trash_folders_drop_empty(s, &rm.arena, rm.folder);
	store_unlock(s);
	arena_release(&rm.arena);
	return r < 0 ? -1 : (int)rm.kept;
}

/* The content of a file in the trash. */
struct trashed {
	enum category category;
	const char *folder, *name; /* the original file */
	size_t at;
	bool done;
	const char *before; /* the line before it, without line end */
	size_t before_len;
	const char *raw;
	size_t len;
};

/* Parse TEXT into T, borrowing from TEXT and A. Returns false if it is
 * damaged. */
static bool parse_trashed(struct trashed *t, const struct buf *text,
			  struct arena *a)
{
	const size_t folder = strlen(FILE_NOTES_FOLDER "/");
	const char *line;
	size_t at = 0, len;

	*t = (struct trashed){.folder = ""};
	if (!buf_next_line(text, &at, &line, &len))
		return false;
	t->name = arena_copy(a, line, len);
	t->category = category_of_file(t->name);
	if (t->category == CATEGORIES) {
		if (strncmp(t->name, FILE_NOTES_FOLDER "/", folder) != 0 ||
		    !file_notes_is_name(t->name + folder))
			return false;
		t->name += folder;
		t->folder = FILE_NOTES_FOLDER;
		t->category = CATEGORY_FILES;
	}
	if (!buf_next_line(text, &at, &line, &len) || !len || len > 9 ||
	    strspn(line, "0123456789") != len)
		return false;
	t->at = strtoul(line, NULL, 10);
	if (!buf_next_line(text, &at, &line, &len))
		return false;
	t->done = len == 4 && !memcmp(line, "done", 4);
	if (!buf_next_line(text, &at, &t->before, &t->before_len) ||
	    at >= text->len)
		return false;
	t->raw = text->p + at;
	t->len = text->len - at;
	return t->len > 2 && !memcmp(t->raw, "- ", 2);
}

/* Return true if the bytes from START to END of WAS are the item T. */
static bool is_at(const struct trashed *t, const struct buf *was, size_t start,
		  size_t end)
{
	return end - start == t->len && end <= was->len &&
	       !memcmp(was->p + start, t->raw, t->len);
}

/* Return true if T can be inserted at its old offset in WAS: the line before it
 * is unchanged. */
static bool fits_at_offset(const struct trashed *t, const struct buf *was)
{
	const size_t n = t->before_len;

	if (t->at > was->len ||
	    (t->raw[t->len - 1] != '\n' && t->at < was->len))
		return false;
	return t->at == 0 ||
	       (t->at > n && was->p[t->at - 1] == '\n' &&
		!memcmp(was->p + t->at - 1 - n, t->before, n) &&
		(t->at == n + 1 || was->p[t->at - n - 2] == '\n'));
}

/* A rewrite_fn: insert the item CTX at its old offset, or else add it to its
 * category. Returns 0 if it is already there. */
static int put_back(void *ctx, const struct buf *was, struct buf *text,
		    struct err *e)
{
	const struct trashed *t = ctx;
	struct item_walk walk = {.p = buf_str(was), .len = was->len};
	struct item_span span;
	struct buf line = {0};

	(void)e;
	if (is_at(t, was, t->at, t->at + t->len))
		return 0;
	if (fits_at_offset(t, was)) {
		item_file_insert(text, was, t->at, t->raw, t->len);
		return 1;
	}
	while (item_walk_next(&walk, &span)) {
		if (is_at(t, was, span.start, span.end))
			return 0;
	}
	item_add_raw(&line, t->raw, t->len);
	item_file_add(text, was, t->category, t->done, &line);
	buf_release(&line);
	return 1;
}

/* Restore the item in the file NAME of the trash directory FOLDER. */
static int restore_item(struct store *s, const char *folder, const char *name,
			item_trash_fn *fn, void *ctx, struct err *e)
{
	struct arena a = {0};
	struct buf text = {0};
	struct trashed t;
	struct item it;
	const char *path =
		arena_printf(&a, "%s/%s/%s", s->repo.path, folder, name);
	int dir = -1, r = layout_open(&s->repo, folder, &dir, e);

	if (r == 1)
		r = file_read(dir, name, path, ITEM_FILE_MAX + HEAD_MAX, &text,
			      e);
	if (r == 1 && !parse_trashed(&t, &text, &a))
		r = err_set(e, ERR_DATA, "'%s' is damaged: no item", path);
	if (r == 1) {
		const struct rewrite rw = {s,	     t.folder, t.name,
					   put_back, &t,       0};

		r = rewrite_file(&rw, e);
		if (r >= 0)
			r = file_remove(dir, name, path, e);
		if (!r &&
		    item_read(&it, t.raw, &(struct item_span){0, t.len, 0}, &a))
			fn(ctx, it.text);
	}
	file_close(dir);
	buf_release(&text);
	arena_release(&a);
	return r < 0 ? -1 : 0;
}

static int by_number(const void *a, const void *b)
{
	const struct file_entry *x = a, *y = b;
	const unsigned long m = strtoul(x->name + strlen(NAME), NULL, 10);
	const unsigned long n = strtoul(y->name + strlen(NAME), NULL, 10);

	return m < n ? -1 : m > n;
}

/* Restore the items of FOLDER. Returns how many, or -1. */
static int undo_folder(struct store *s, const char *folder, item_trash_fn *fn,
		       void *ctx, struct arena *a, struct err *e)
{
	struct file_list files;
	int r = layout_list(&s->repo, folder, a, &files, e), n = 0;
	size_t k = 0;

	for (size_t i = 0; i < files.n; i++) {
		if (files.items[i].kind == FILE_REGULAR &&
		    !strncmp(files.items[i].name, NAME, strlen(NAME)))
			files.items[k++] = files.items[i];
	}
	MEM_SORT(files.items, k, by_number);
	for (size_t i = 0; i < k && r >= 0; i++) {
		r = restore_item(s, folder, files.items[i].name, fn, ctx, e);
		n += r == 0;
	}
	if (n && r >= 0)
		trash_folders_drop_empty(s, a, folder);
	return r < 0 ? -1 : n;
}

/* The undo of a removal. */
struct undoing {
	struct store *store;
	item_trash_fn *fn;
	void *ctx;
	int n; /* number of restored items */
};

/* For trash_folders_each(): restore the items of FOLDER if it is ours. Returns
 * 1 to stop: the newest removal was found. */
static int undo_removal(void *ctx, const char *folder, bool ours, struct err *e)
{
	struct undoing *u = ctx;
	struct strings in = {0};
	struct arena a = {0};
	int r = ours ? undo_folder(u->store, folder, u->fn, u->ctx, &a, e) : 0;

	if (r > 0)
		u->n = r;
	if (!r && ours) {
		r = trash_folders_contents(u->store, folder, &a, &in, e);
		r = r < 0 ? -1 : in.n > 0;
		free(in.items);
	}
	arena_release(&a);
	return r < 0 ? -1 : r > 0;
}

int item_trash_undo(struct store *s, item_trash_fn *fn, void *ctx,
		    struct err *e)
{
	struct undoing u = {s, fn, ctx, 0};
	int r;

	if (s->repo.fd < 0)
		return 0;
	if (store_lock(s, e) < 0)
		return -1;
	r = trash_folders_each(s, undo_removal, &u, e);
	store_unlock(s);
	return r < 0 ? -1 : u.n;
}
