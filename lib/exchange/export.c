#include "exchange/export.h"

#include "exchange/context-json-write.h"
#include "harvest/item-lines.h"
#include "repo/marks.h"
#include "repo/named-file.h"

#define PIECE ((size_t)256 * 1024)

struct export
{
	struct store *store;
	const struct export_to *to;
	struct exported *done;
	bool lines, markdown;	      /* neither: json */
	struct context_write context; /* memories collected for json */
	struct arena arena;	      /* for one memory */
	struct buf text;	      /* lines not passed on yet */
	size_t items, replaced;	      /* counts of what json omits */
};

/* For a report: count and report a file that cannot be read. */
static void report_unread(void *ctx, const struct err *e)
{
	struct export *x = ctx;

	x->done->unread++;
	if (x->done->why < e->code)
		x->done->why = e->code;
	err_report(x->to->report, e);
}

/* Pass on the lines: in pieces, or, if a file is written, only as a whole at
 * the LAST call. */
static int put_lines(struct export *x, bool last, struct err *e)
{
	int r;

	if (!last && (x->to->files || x->text.len < PIECE))
		return 0;
	r = x->to->put(x->to->ctx, "memories.jsonl", buf_str(&x->text),
		       x->text.len, e);
	buf_cut(&x->text, 0);
	return r;
}

/* The path of a memory. */
struct memory_path {
	int64_t id;
	const char *path;
};

struct paths {
	struct memory_path *items;
	size_t n, cap;
	struct arena arena; /* holds the paths */
};

static int add_path(void *ctx, const struct record *r)
{
	struct paths *p = ctx;

	p->items = mem_grow(p->items, p->n, &p->cap, sizeof(*p->items));
	p->items[p->n++] =
		(struct memory_path){r->id, arena_strdup(&p->arena, r->path)};
	return 0;
}

/* Export the memory at PATH.  An unreadable memory is reported, and the result
 * is 0. */
static int add_memory(struct export *x, const char *path, struct err *e)
{
	const struct export_to *to = x->to;
	struct named_file file = {0};
	struct record record;
	struct err unread;
	const int found =
		named_file_read(&file, path, &x->arena, &record, &unread);
	const bool left_out = found > 0 && !to->sensitive &&
			      record_marks(&record) & MARK_SENSITIVE;
	int r = 0;

	if (found < 0)
		report_unread(x, &unread);
	if (left_out) {
		r = 0;
	} else if (found > 0 && x->markdown) {
		r = to->put(to->ctx, strrchr(path, '/') + 1,
			    buf_str(&file.text), file.text.len, e);
	} else if (found > 0 && x->lines) {
		record_json(&x->text, &record, RECORD_WHOLE);
		buf_addc(&x->text, '\n');
		r = put_lines(x, false, e);
	} else if (found > 0 && record_marks(&record) & MARK_REPLACED) {
		x->replaced++;
	} else if (found > 0) {
		context_write_add(&x->context, &record);
	}
	named_file_release(&file);
	arena_reset(&x->arena);
	return r;
}

static int by_id(const void *a, const void *b)
{
	const struct memory_path *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* Export the memories and the archived ones, ordered by id. */
static int add_memories(struct export *x, struct err *e)
{
	struct paths all = {0};
	int r = store_each(x->store, AREA_MEMORIES, add_path, &all, e);

	if (r >= 0)
		r = store_each(x->store, AREA_ARCHIVE, add_path, &all, e);
	if (all.n)
		qsort(all.items, all.n, sizeof(*all.items), by_id);
	for (size_t i = 0; i < all.n && !r; i++)
		r = add_memory(x, all.items[i].path, e);
	free(all.items);
	arena_release(&all.arena);
	return r;
}

static int add_item(void *ctx, const struct items_entry *entry)
{
	struct export *x = ctx;

	x->items++;
	if (x->lines) {
		item_lines_write(&x->text, entry);
		buf_addc(&x->text, '\n');
	}
	return 0;
}

/* Export the category files. */
static int add_item_files(struct export *x, struct err *e)
{
	int r = 0;

	for (int c = 0; c < CATEGORY_FILES && !r; c++) {
		struct buf file = {0};
		struct err unread;
		const int found =
			items_read(x->store, (enum category)c, &file, &unread);

		if (found < 0)
			report_unread(x, &unread);
		if (found > 0)
			r = x->to->put(x->to->ctx,
				       category_file((enum category)c),
				       buf_str(&file), file.len, e);
		buf_release(&file);
	}
	return r;
}

/* Pass on the collected memories.  UNSAID is as in struct exported. */
static int put_json(struct export *x, struct buf *unsaid, struct err *e)
{
	context_write_unsaid(&x->context, unsaid);
	if (x->replaced)
		buf_addf(unsaid, "%s%zu replaced", unsaid->len ? ", " : "",
			 x->replaced);
	if (x->items)
		buf_addf(unsaid, "%s%zu item%s", unsaid->len ? ", " : "",
			 x->items, x->items == 1 ? "" : "s");
	return context_write_put(&x->context, x->to->files, x->to->put,
				 x->to->ctx, e);
}

int export_store(struct store *s, const struct export_to *to,
		 struct exported *done, struct err *e)
{
	struct export x = {.store = s,
			   .to = to,
			   .done = done,
			   .lines = !strcmp(to->format, "jsonl"),
			   .markdown = !strcmp(to->format, "markdown")};
	const struct report notes = {report_unread, &x};
	const struct report *const before = s->report;
	int result;

	s->report = &notes;
	result = add_memories(&x, e);
	if (!result)
		result = x.markdown ? add_item_files(&x, e)
				    : items_each(s, ITEMS_ALL, add_item, &x, e);
	s->report = before;
	if (!result && x.lines)
		result = put_lines(&x, true, e);
	else if (!result && !x.markdown)
		result = put_json(&x, &done->unsaid, e);
	context_write_release(&x.context);
	buf_release(&x.text);
	arena_release(&x.arena);
	return result;
}
