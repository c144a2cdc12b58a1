/* item-trash.c: see item-trash.h. */
#include "harvest/item-trash.h"

#include "harvest/file-notes.h"
#include "harvest/rewrite.h"
#include "store/trash-folders.h"

#include <unistd.h>

#define NAME "item-" /* what the files of items begin with */
#define HEAD_MAX ((size_t)64 * 1024)

/* A removal on its way. */
struct removal {
	struct store *store;
	const char *text;
	struct arena arena;
	const char *file;   /* that is gone through, below knowledge/ */
	const char *folder; /* in the trash; NULL until one is needed */
	int fd;		    /* of it, or -1 */
	size_t kept;	    /* files in it */
};

/* True if the item at S of P is what is to go. */
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

/* Write what stands at S of WAS into the trash. */
static int keep(struct removal *rm, const struct buf *was,
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
		return err_set(e, ERR_SYSTEM, "'%s' is in the way", path);
	return r < 0 ? -1 : 0;
}

/* Take the files of FROM and behind, which were not needed, out again. */
static void drop_kept(struct removal *rm, size_t from)
{
	for (; rm->kept > from; rm->kept--)
		unlinkat(rm->fd, arena_printf(&rm->arena, NAME "%zu", rm->kept),
			 0);
}

/* One file, gone through once or again. */
struct removal_file {
	struct removal *of;
	size_t kept; /* before it */
};

/* A rewrite_fn. */
static int take_out(void *ctx, const struct buf *was, struct buf *text,
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
		if (!at) /* what an earlier try has kept stands no more */
			drop_kept(f->of, f->kept);
		if (keep(f->of, was, &span, e) < 0)
			return -1;
		buf_add(text, walk.p + at, span.start - at);
		at = span.end;
	}
	buf_add(text, walk.p + at, was->len - at);
	return at > 0;
}

/* A rewrite_fn that only looks. */
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

/* Take what is wanted out of NAME in FOLDER. */
static int remove_from(struct removal *rm, const char *folder, const char *name,
		       struct err *e)
{
	struct removal_file f = {rm, rm->kept};
	const struct rewrite rw = {rm->store, folder, name, take_out, &f, 0};
	const struct rewrite look = {rm->store,	 folder, name,
				     has_wanted, &f,	 0};
	int r;

	rm->file = *folder ? arena_printf(&rm->arena, "%s/%s", folder, name)
			   : name;
	r = rewrite_file(&rw, e);
	/* Where it stands no more, the trash alone has it. */
	if (r < 0 && rewrite_check(&look, NULL) == 1)
		drop_kept(rm, f.kept);
	return r;
}

static int take_name(void *ctx, const char *name, enum file_kind kind)
{
	struct trash_folders *list = ctx;

	if (kind != FILE_REGULAR)
		return 0;
	list->names = mem_grow(list->names, list->n, &list->cap,
			       sizeof(*list->names));
	list->names[list->n++] = arena_strdup(list->a, name);
	return 0;
}

/* The names of the regular files in FOLDER, which may be absent. */
static int list_files(struct store *s, const char *folder,
		      struct trash_folders *list, struct err *e)
{
	int dir, r = layout_open(&s->repo, folder, &dir, e);

	if (r != 1)
		return r;
	r = file_walk(dir, layout_path(&s->repo, folder, list->a), take_name,
		      list, e);
	close(dir);
	return r;
}

static int remove_notes(struct removal *rm, struct err *e)
{
	struct trash_folders files = {.a = &rm->arena};
	int r = list_files(rm->store, FILE_NOTES_FOLDER, &files, e);

	for (size_t i = 0; i < files.n && r >= 0; i++) {
		if (file_notes_is_name(files.names[i]))
			r = remove_from(rm, FILE_NOTES_FOLDER, files.names[i],
					e);
	}
	free(files.names);
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
	if (rm.fd >= 0)
		close(rm.fd);
	if (rm.folder && !rm.kept)
		trash_folders_drop_empty(s, &rm.arena, rm.folder);
	store_unlock(s);
	arena_release(&rm.arena);
	return r < 0 ? -1 : (int)rm.kept;
}

/* What a file of the trash says. */
struct trashed {
	enum category category;
	const char *folder, *name; /* where it stood */
	size_t at;
	bool done;
	const char *before; /* the line before it, without its end */
	size_t before_len;
	const char *raw;
	size_t len;
};

/* Cut the next line off [*P, END): false where there is none. */
static bool next_line(const char **p, const char *end, const char **line,
		      size_t *len)
{
	const char *nl = memchr(*p, '\n', (size_t)(end - *p));

	*line = *p;
	*len = nl ? (size_t)(nl - *p) : 0;
	*p = nl ? nl + 1 : end;
	return nl != NULL;
}

/* Read T from TEXT; false where it is damaged. */
static bool parse(struct trashed *t, const struct buf *text, struct arena *a)
{
	const char *p = buf_str(text), *end = p + text->len, *line;
	const size_t folder = strlen(FILE_NOTES_FOLDER "/");
	size_t len;

	*t = (struct trashed){.folder = ""};
	if (!next_line(&p, end, &line, &len))
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
	if (!next_line(&p, end, &line, &len) || !len || len > 9 ||
	    strspn(line, "0123456789") != len)
		return false;
	t->at = strtoul(line, NULL, 10);
	if (!next_line(&p, end, &line, &len))
		return false;
	t->done = len == 4 && !memcmp(line, "done", 4);
	if (!next_line(&p, end, &t->before, &t->before_len))
		return false;
	t->raw = p;
	t->len = (size_t)(end - p);
	return t->len > 2 && !memcmp(p, "- ", 2);
}

/* True if T is what stands from START to END of WAS. */
static bool stands(const struct trashed *t, const struct buf *was, size_t start,
		   size_t end)
{
	return end - start == t->len && end <= was->len &&
	       !memcmp(was->p + start, t->raw, t->len);
}

/* True if T can stand at its old place in WAS. */
static bool fits(const struct trashed *t, const struct buf *was)
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

/* A rewrite_fn. */
static int put_back(void *ctx, const struct buf *was, struct buf *text,
		    struct err *e)
{
	const struct trashed *t = ctx;
	struct item_walk walk = {.p = buf_str(was), .len = was->len};
	struct item_span span;
	struct buf line = {0};

	(void)e;
	if (stands(t, was, t->at, t->at + t->len))
		return 0;
	if (fits(t, was)) {
		item_file_insert(text, was, t->at, t->raw, t->len);
		return 1;
	}
	while (item_walk_next(&walk, &span)) {
		if (stands(t, was, span.start, span.end))
			return 0;
	}
	for (size_t i = 0; i < t->len; i++) {
		if (t->raw[i] != '\r')
			buf_addc(&line, t->raw[i]);
	}
	if (line.p[line.len - 1] != '\n')
		buf_addc(&line, '\n');
	item_file_add(text, was, t->category, t->done, &line);
	buf_release(&line);
	return 1;
}

/* Bring back what the file NAME of FOLDER keeps. */
static int bring_back(struct store *s, const char *folder, const char *name,
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
	if (r == 1 && !parse(&t, &text, &a))
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
	if (dir >= 0)
		close(dir);
	buf_release(&text);
	arena_release(&a);
	return r < 0 ? -1 : 0;
}

static int by_number(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	const unsigned long m = strtoul(*x + strlen(NAME), NULL, 10);
	const unsigned long n = strtoul(*y + strlen(NAME), NULL, 10);

	return m < n ? -1 : m > n;
}

/* Bring back the items of FOLDER: how many, -1. */
static int undo_folder(struct store *s, const char *folder, item_trash_fn *fn,
		       void *ctx, struct arena *a, struct err *e)
{
	struct trash_folders files = {.a = a};
	int r = list_files(s, folder, &files, e), n = 0;
	size_t k = 0;

	for (size_t i = 0; i < files.n; i++) {
		if (!strncmp(files.names[i], NAME, strlen(NAME)))
			files.names[k++] = files.names[i];
	}
	if (k)
		qsort(files.names, k, sizeof(*files.names), by_number);
	for (size_t i = 0; i < k && r >= 0; i++) {
		r = bring_back(s, folder, files.names[i], fn, ctx, e);
		n += r == 0;
	}
	free(files.names);
	if (n && r >= 0)
		trash_folders_drop_empty(s, a, folder);
	return r < 0 ? -1 : n;
}

/* What an undo goes through the removals for. */
struct undoing {
	struct store *store;
	item_trash_fn *fn;
	void *ctx;
	int n; /* items that came back */
};

/* 1 where the newest removal is found: it had items, or has memories. */
static int undo_removal(void *ctx, const char *folder, bool ours, struct err *e)
{
	struct undoing *u = ctx;
	struct trash_folders in = {0};
	struct arena a = {0};
	int r = ours ? undo_folder(u->store, folder, u->fn, u->ctx, &a, e) : 0;

	if (r > 0)
		u->n = r;
	if (!r && ours) {
		r = trash_folders_contents(u->store, folder, &a, &in, e);
		r = r < 0 ? -1 : in.n > 0;
		free(in.names);
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
