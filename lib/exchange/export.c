/* export.c: memories are passed on one by one, each as a piece of the text or a file of
 * its own; only the format of an older co needs all of them at once. */
#include "exchange/exchange.h"

#include "article/article.h"
#include "exchange/context-json.h"
#include "harvest/items.h"
#include "repo/named-file.h"

#include <unistd.h>

#define PIECE ((size_t)256 * 1024)
#define CONTEXT "context.md"

struct export
{
	struct store *store;
	const struct exchange_to *to;
	struct exchange_done *done;
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

	*MEM_ADD(p->items, p->n, p->cap) =
		(struct memory_path){r->id, arena_strdup(&p->arena, r->path)};
	return 0;
}

/* Export the memory at PATH. An unreadable memory is reported, and the result
 * is 0. */
static int add_memory(struct export *x, const char *path, struct err *e)
{
	const struct exchange_to *to = x->to;
	struct named_file file = {0};
	struct record record;
	struct err unread;
	const int found =
		named_file_read(&file, path, &x->arena, &record, &unread);
	const bool left_out = found > 0 && !to->sensitive &&
			      record_marks(&record) & MARK_SENSITIVE;
	const bool passes = found > 0 && !left_out &&
			    (x->markdown || x->lines ||
			     !(record_marks(&record) & MARK_REPLACED));
	int r = 0;

	if (found < 0)
		report_unread(x, &unread);
	x->done->sensitive += left_out;
	x->done->memories += passes;
	if (passes && x->markdown) {
		r = to->put(to->ctx, strrchr(path, '/') + 1,
			    buf_str(&file.text), file.text.len, e);
	} else if (passes && x->lines) {
		record_json(&x->text, &record, RECORD_WHOLE);
		buf_addc(&x->text, '\n');
		r = put_lines(x, false, e);
	} else if (passes) {
		context_write_add(&x->context, &record);
	} else if (found > 0 && !left_out) {
		x->replaced++;
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
	MEM_SORT(all.items, all.n, by_id);
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

/* Pass on the collected memories. UNSAID is as in struct exchange_done. */
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

int exchange_export(struct store *s, const struct exchange_to *to,
		    struct exchange_done *done, struct err *e)
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

/* Append N of WHAT, unless it is 0, after a comma if OUT has something. */
static void add_count(struct buf *out, size_t n, const char *one,
		      const char *many)
{
	if (n)
		buf_addf(out, "%s%zu %s", out->len ? ", " : "", n,
			 n == 1 ? one : many);
}

static int count_attachments(struct store *s, size_t *n, struct err *e)
{
	struct file_list files;
	struct arena a = {0};
	const int r = layout_list(&s->repo, ATTACHMENTS, &a, &files, e);

	for (size_t i = 0; i < files.n; i++)
		*n += *files.items[i].name != '.' &&
		      files.items[i].kind == FILE_REGULAR;
	arena_release(&a);
	return r;
}

/* Return true if S has a context with more than headings. */
static bool has_context(struct store *s)
{
	struct buf text = {0};
	struct arena a = {0};
	struct frontmatter fm;
	struct err none;
	bool has = false;
	int dir;

	if (layout_open(&s->repo, "", &dir, &none) != 1)
		return false;
	if (file_read(dir, CONTEXT, CONTEXT, LAYOUT_FILE_MAX, &text, &none) ==
		    1 &&
	    frontmatter_parse(&fm, buf_str(&text), text.len, CONTEXT, &a,
			      &none) == 0) {
		const char *p = buf_str(&text) + fm.body;

		for (; *p && !has; p += strcspn(p, "\n"), p += *p == '\n')
			has = !strchr("#\r\n", *p);
	}
	close(dir);
	buf_release(&text);
	arena_release(&a);
	return has;
}

/* Return the number of memories in the user store, 0 if it cannot be read. */
static size_t count_user(void)
{
	struct store user;
	struct err none;
	size_t n = 0;

	if (store_open(&user, SCOPE_GLOBAL, NULL, &none) < 0)
		return 0;
	if (store_count(&user, AREA_MEMORIES, &n, &none) < 0)
		n = 0;
	store_close(&user);
	return n;
}

int exchange_left_out(struct buf *out, struct store *s,
		      const struct exchange_done *done, struct err *e)
{
	struct article_counts articles = {0};
	size_t drafts = 0, trash = 0, files = 0;

	if (store_count(s, AREA_DRAFTS, &drafts, e) < 0 ||
	    store_count(s, AREA_TRASH, &trash, e) < 0 ||
	    article_count(s, &articles, e) < 0 ||
	    count_attachments(s, &files, e) < 0)
		return -1;
	add_count(out, done->sensitive, "sensitive memory",
		  "sensitive memories");
	add_count(out, drafts, "draft", "drafts");
	add_count(out, articles.articles, "article", "articles");
	add_count(out, files, "attachment", "attachments");
	add_count(out, trash, "memory in the trash", "memories in the trash");
	if (has_context(s))
		buf_adds(out, out->len ? ", the context" : "the context");
	if (s->repo.root.scope == SCOPE_PROJECT)
		add_count(out, count_user(), "memory of the user store",
			  "memories of the user store");
	return 0;
}
