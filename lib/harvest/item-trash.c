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
	const char *name;
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
	r = file_create_from(rm->store->repo.fd, rm->fd, name, name,
			     root_file_mode(&rm->store->repo.root), text.p,
			     text.len, e);
	buf_release(&text);
	if (r == 0)
		return err_set(e, ERR_SYSTEM, "'%s' is in the way in '%s'",
			       name, rm->folder);
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
	r = file_walk(dir, folder, take_name, list, e);
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

/* What an undo goes through the removals for. */
struct undoing {
	struct store *store;
	item_trash_fn *fn;
	void *ctx;
	int n; /* items that came back */
};
