/* export.c: see export.h. */
#include "exchange/export.h"

#include "exchange/context-json-write.h"
#include "harvest/item-lines.h"
#include "repo/marks.h"
#include "store/ids.h"
#include "store/loose.h"

#include <stdlib.h>

struct export
{
	struct store *store;
	const struct export_to *to;
	bool lines, markdown;	      /* else json */
	struct context_write context; /* what of json is not handed on yet */
	struct arena arena;	      /* of one memory */
	struct buf text;	      /* the same of lines */
	size_t items;
};

/* Export the memory at PATH; 0 too where it cannot be read. */
static int add_memory(struct export *x, const char *path, struct err *e)
{
	const struct export_to *to = x->to;
	struct loose file = {.report = to->report};
	struct record record;
	struct err unread;
	const int found = loose_read(&file, path, &x->arena, &record, &unread);
	const bool left_out = found > 0 && !to->sensitive &&
			      record_marks(&record) & MARK_SENSITIVE;
	int r = 0;

	if (found < 0)
		err_report(x->to->report, &unread);
	if (left_out) {
		r = 0;
	} else if (found > 0 && x->markdown) {
		r = to->put(to->ctx, strrchr(path, '/') + 1,
			    buf_str(&file.text), file.text.len, e);
	} else if (found > 0 && x->lines) {
		record_json(&x->text, &record, true);
		buf_addc(&x->text, '\n');
	} else if (found > 0) {
		context_write_add(&x->context, &record);
	}
	loose_release(&file);
	arena_reset(&x->arena);
	return r;
}

static int by_id(const void *a, const void *b)
{
	const struct id_entry *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int add_memories(struct export *x, struct err *e)
{
	const struct ids *ids = ids_load(x->store, AREA_MEMORIES, e);
	struct id_entry *all;
	size_t n = 0;
	int r = 0;

	if (!ids)
		return -1;
	all = mem_resize(NULL, ids->n + 1, sizeof(*all));
	for (size_t i = 0; i < ids->n; i++) {
		if (ids->items[i].path)
			all[n++] = ids->items[i];
	}
	qsort(all, n, sizeof(*all), by_id);
	for (size_t i = 0; i < n && !r; i++)
		r = add_memory(x, all[i].path, e);
	free(all);
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

/* The files that hold items. */
static int add_item_files(struct export *x, struct err *e)
{
	int r = 0;

	for (int c = 0; c < CATEGORY_FILES && !r; c++) {
		struct buf file = {0};
		struct err unread;
		const int found =
			items_read(x->store, (enum category)c, &file, &unread);

		if (found < 0)
			err_report(x->to->report, &unread);
		if (found > 0)
			r = x->to->put(x->to->ctx,
				       category_file((enum category)c),
				       buf_str(&file), file.len, e);
		buf_release(&file);
	}
	return r;
}

/* What is in X by now; UNSAID as export_store() has it. */
static int put_json(struct export *x, struct buf *unsaid, struct err *e)
{
	context_write_unsaid(&x->context, unsaid);
	if (x->items)
		buf_addf(unsaid, "%s%zu item%s", unsaid->len ? ", " : "",
			 x->items, x->items == 1 ? "" : "s");
	return context_write_put(&x->context, x->to->files, x->to->put,
				 x->to->ctx, e);
}

int export_store(struct store *s, const struct export_to *to,
		 struct buf *unsaid, struct err *e)
{
	struct export x = {.store = s,
			   .to = to,
			   .lines = !strcmp(to->format, "jsonl"),
			   .markdown = !strcmp(to->format, "markdown")};
	int result = add_memories(&x, e);

	if (!result)
		result = x.markdown ? add_item_files(&x, e)
				    : items_each(s, ITEMS_ALL, add_item, &x, e);
	if (!result && x.lines)
		result = to->put(to->ctx, "memories.jsonl", buf_str(&x.text),
				 x.text.len, e);
	else if (!result && !x.markdown)
		result = put_json(&x, unsaid, e);
	context_write_release(&x.context);
	buf_release(&x.text);
	arena_release(&x.arena);
	return result;
}
