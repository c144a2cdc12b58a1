/* result.c: records are sanitized once, then laid out until they fit. Each
 * content is first cut to a share of the budget, so the time of an answer
 * depends on its size, not on that of a memory. The share shrinks until text
 * and object both fit. Records that do not fit at the smallest share are left
 * out and counted: the last ones of an answer, the first ones of a list. */
#include "mcp/result.h"

#include "base/utf8.h"
#include "format/json-read.h"
#include "repo/marks.h"
#include "search/cited.h"
#include "store/display.h"
#include "text/sanitize.h"

#include <unistd.h>

#define SHARE_LEAST ((size_t)200)
#define WARNED ((size_t)10)	  /* ids that a warning names, at most */
#define RECORDS_MAX ((size_t)400) /* more never fit */

struct item {
	struct value *v; /* the record as printed, with its texts sanitized */
	struct value *content;
	struct record r;  /* the same for store/display.h */
	const char *file; /* the name of its file, not sanitized */
	const char *sum;  /* the sha256 of its file, or NULL */
	size_t start;	  /* offset in the output of the program */
	struct cursor cursor;
	bool doubled;	     /* another file has its id and store */
	int64_t replaced_by; /* the id of its replacement; 0: replaced, but its
			      * file names none; -1: not replaced */
};

struct items {
	struct item *list;
	size_t n, cap;
	size_t unread; /* records before these that were skipped */
	bool sums;     /* show the checksums of their files */
	bool heads;    /* show summaries without content */
	struct arena arena;
};

void mcp_result_release(struct mcp_result *r)
{
	buf_release(&r->text);
	buf_release(&r->object);
	shown_items_release(&r->items);
	shown_words_release(&r->words);
	r->error = false;
}

static void items_release(struct items *all)
{
	free(all->list);
	arena_release(&all->arena);
}

/* Append P, cut to MAX bytes if it is longer: at the end of a line if there is
 * one, else of a word or a character. Return true if it was cut. */
static bool add_cut_text(struct buf *out, const char *p, size_t len, size_t max)
{
	size_t at = max;

	if (len <= max) {
		buf_add(out, p, len);
		return false;
	}
	while (at && p[at] != '\n')
		at--;
	if (!at) {
		for (at = max; at && p[at] != ' ';)
			at--;
	}
	if (at < max / 2 && !memchr(p, '\n', max))
		at = utf8_cut(p, len, max);
	buf_add(out, p, at);
	return true;
}

static void clean_text(struct value *v, size_t max, struct arena *a)
{
	struct buf text = {0};
	size_t len = v->u.s.len;

	if (len > max)
		len = utf8_cut(v->u.s.p, len, max);
	sanitize_prompt(&text, v->u.s.p, len);
	v->u.s.p = arena_copy(a, buf_str(&text), text.len);
	v->u.s.len = text.len;
	buf_release(&text);
}

/* Clean every text in V, and keep at most MAX bytes of each. */
static void clean_value(struct value *v, size_t max, struct arena *a)
{
	if (v->kind == VALUE_STR)
		clean_text(v, max, a);
	for (size_t i = 0; v->kind == VALUE_LIST && i < v->u.list.n; i++)
		clean_value(&v->u.list.items[i], max, a);
	for (size_t i = 0; v->kind == VALUE_MAP && i < v->u.map.n; i++) {
		clean_value(&v->u.map.pairs[i].key, max, a);
		clean_value(&v->u.map.pairs[i].val, max, a);
	}
}

static const char *text_of(const struct value *map, const char *key)
{
	const char *text = value_text(map, key);

	return text ? text : "";
}

static void read_tags(struct record *r, const struct value *tags,
		      struct arena *a)
{
	if (!tags || tags->kind != VALUE_LIST)
		return;
	r->tags = arena_alloc(a, (tags->u.list.n + 1) * sizeof(*r->tags));
	for (size_t i = 0; i < tags->u.list.n; i++) {
		if (tags->u.list.items[i].kind == VALUE_STR)
			r->tags[r->ntags++] = tags->u.list.items[i].u.s.p;
	}
}

/* Return the marks that LIST names. */
static unsigned marks_in(const struct value *list)
{
	const struct value *name;
	unsigned marks = 0;

	for (size_t i = 0; (name = value_item(list, i)); i++) {
		if (name->kind == VALUE_STR)
			marks |= marks_named(name->u.s.p);
	}
	return marks;
}

/* Return the memories in LIST, a list of {"id"}, in A. */
static struct record_refs refs_in(const struct value *list, struct arena *a)
{
	struct record_refs refs = {0};
	struct record_ref *items;

	if (!list || list->kind != VALUE_LIST)
		return refs;
	items = arena_alloc(a, (list->u.list.n + 1) * sizeof(*items));
	refs.items = items;
	for (size_t i = 0; i < list->u.list.n; i++) {
		const struct value *item = &list->u.list.items[i],
				   *id = item->kind == VALUE_MAP
						 ? value_get(item, "id")
						 : item;

		if (id && id->kind == VALUE_INT)
			items[refs.n++] = (struct record_ref){id->u.i, NULL};
	}
	return refs;
}

/* Return the directory of the project of the memory at PATH, in A, or NULL if
 * the server runs in that project. */
static const char *elsewhere(const char *path, struct arena *a)
{
	const char *end = strstr(path, "/.co-cli/");
	const size_t len = end ? (size_t)(end - path) : 0;
	char *cwd = getcwd(NULL, 0);
	const bool ours = !end || (cwd && !strncmp(cwd, path, len) &&
				   (!cwd[len] || cwd[len] == '/'));

	free(cwd);
	return ours ? NULL : arena_copy(a, path, len);
}

/* Set the fields of R, a record from a remote index, that say where it is
 * from. */
static void read_remote(struct record *r, const struct value *v,
			struct arena *a)
{
	r->as_of = text_of(v, "as_of");
	r->project = r->elsewhere = text_of(v, "project");
	r->prefix = arena_printf(a, "%s:", r->project);
}

static void read_item(struct item *item, struct value *v, struct arena *a)
{
	const struct value *text = value_get(v, "content");
	struct record *r = &item->r;

	*item = (struct item){.v = v};
	if (text && text->kind == VALUE_STR)
		item->content = (struct value *)(uintptr_t)text;
	else
		text = value_get(v, "summary");
	r->id = value_positive(v, "id");
	r->path = text_of(v, "path");
	r->title = value_text(v, "title");
	r->kind = record_kind_of(text_of(v, "kind"));
	if (r->kind == RECORD_KINDS) /* memories have no title */
		r->kind = r->title ? RECORD_ARTICLE : RECORD_MEMORY;
	r->source = value_text(v, "source");
	r->commit = value_text(v, "commit");
	if (r->commit)
		read_remote(r, v, a);
	else if (value_is(value_get(v, "scope"), "global"))
		r->scope = SCOPE_GLOBAL;
	else if (value_text(v, "project") || value_text(v, "store"))
		r->elsewhere = elsewhere(r->path, a);
	if (value_text(v, "store"))
		r->prefix = arena_printf(a, "%s:", value_text(v, "store"));
	r->created = text_of(v, "created");
	read_tags(r, value_get(v, "tags"), a);
	r->content = text && text->kind == VALUE_STR ? text->u.s.p : "";
	r->content_len = strlen(r->content);
	r->total = (size_t)value_positive(v, "total");
	r->marks = marks_in(value_get(v, "marks"));
	r->drifted = cited_has_drifted(value_get(v, "evidence"));
	r->contradicted_by = refs_in(value_get(v, "contradicted_by"), a);
	r->like = refs_in(value_get(v, "like"), a);
	r->partial = value_is_true(value_get(v, "partial"));
}

/* Return the offset of the last RECORDS_MAX lines of P, and add the number of
 * those before to *SKIPPED. */
static size_t skip_records(const char *p, size_t len, size_t *skipped)
{
	size_t lines = 0, at = 0;
	const char *end;

	for (size_t i = 0; i < len; i++)
		lines += p[i] == '\n';
	for (; lines > RECORDS_MAX; lines--, ++*skipped) {
		end = memchr(p + at, '\n', len - at);
		at = (size_t)(end - p) + 1;
	}
	return at;
}

/* Remove from V, a record of ALL, the keys that are only for programs or that
 * count bytes of the text before it was sanitized; the checksum unless ALL has
 * sums; and the content if ALL has only heads. */
static void drop_inner(struct value *v, const struct items *all)
{
	size_t n = 0;

	for (size_t i = 0; i < v->u.map.n; i++) {
		const struct value *key = &v->u.map.pairs[i].key;

		if (!value_is(key, "frontmatter") &&
		    !value_is(key, "matches") &&
		    (all->sums || !value_is(key, "sha256")) &&
		    !(all->heads && value_is(key, "content")))
			v->u.map.pairs[n++] = v->u.map.pairs[i];
	}
	v->u.map.n = n;
}

/* Return `replaced_by`, as in struct item, for the whole record V. */
static int64_t replaced_by(const struct value *v)
{
	const struct value *by =
		value_get(value_get(v, "frontmatter"), "superseded");
	const char *path = text_of(v, "path"), *name = strrchr(path, '/');

	if (by && by->kind == VALUE_INT)
		return by->u.i;
	return name && name - path >= 8 && !memcmp(name - 8, "/archive", 8)
		       ? 0
		       : -1;
}

/* Add the dates to references to contradicting memories, if these are among
 * ALL. */
static void add_days(struct items *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct record *r = &all->list[i].r;
		struct record_ref *refs = (struct record_ref *)(uintptr_t)
						  r->contradicted_by.items;

		for (size_t k = 0; k < r->contradicted_by.n; k++) {
			for (size_t m = 0; m < all->n; m++) {
				const struct record *by = &all->list[m].r;

				if (by->id == refs[k].id &&
				    by->scope == r->scope)
					refs[k].created = by->created;
			}
		}
	}
}

/* Read the records at P, and at most MAX bytes of each text. */
static int items_read(struct items *all, const char *p, size_t len, size_t max,
		      struct err *e)
{
	size_t at = skip_records(p, len, &all->unread);
	int r = 1;

	while (r > 0) {
		struct value *v = arena_alloc(&all->arena, sizeof(*v));
		struct item *item;
		const char *file;
		int64_t by;
		size_t start;

		while (at < len && p[at] == '\n')
			at++;
		start = at;
		r = json_parse_at(p, len, &at, &all->arena, v, e);
		if (r <= 0)
			break;
		if (v->kind != VALUE_MAP)
			return err_set(e, ERR_DATA, "a record is no object");
		by = replaced_by(v);
		drop_inner(v, all);
		file = text_of(v, "path");
		clean_value(v, max, &all->arena);
		item = MEM_ADD(all->list, all->n, all->cap);
		read_item(item, v, &all->arena);
		item->replaced_by = by;
		item->file = file_name_of(file);
		item->sum = value_text(v, "sha256");
		item->start = start;
	}
	add_days(all);
	return r;
}

/* Append the note at the end of a content that was cut. */
static void add_cut(struct buf *out, const struct record *r)
{
	if (r->commit) {
		buf_adds(out, "\n[cut]");
		return;
	}
	if (r->kind != RECORD_MEMORY) {
		buf_addf(out, "\n[cut; all of it is in %s]", r->path);
		return;
	}
	buf_addf(out, "\n[cut; show_memory prints all of it: id %lld%s]",
		 (long long)r->id,
		 r->scope == SCOPE_GLOBAL ? ", scope global" : "");
}

/* Set RECORD to ITEM with at most SHARE bytes of content, and V to its JSON, in
 * A. */
static void lay_out(const struct item *item, size_t share, struct arena *a,
		    struct record *record, struct value *v)
{
	struct buf text = {0};
	struct value content;

	*record = item->r;
	*v = *item->v;
	if (!item->content ||
	    (item->r.content_len <= share && !record_is_external(&item->r)))
		return;
	if (add_cut_text(&text, item->r.content, item->r.content_len, share))
		add_cut(&text, &item->r);
	record->content = arena_copy(a, text.p, text.len);
	record->content_len = text.len;
	if (record_is_external(&item->r)) {
		buf_cut(&text, 0);
		display_external(&text, record, record->content,
				 record->content_len, NULL);
	}
	content = (struct value){.kind = VALUE_STR};
	content.u.s.p = arena_copy(a, text.p, text.len);
	content.u.s.len = text.len;
	v->u.map.pairs = arena_alloc(a, v->u.map.n * sizeof(*v->u.map.pairs));
	for (size_t i = 0; i < v->u.map.n; i++) {
		v->u.map.pairs[i] = item->v->u.map.pairs[i];
		if (&item->v->u.map.pairs[i].val == item->content)
			v->u.map.pairs[i].val = content;
	}
	buf_release(&text);
}

/* The kind of an answer. */
struct plan {
	const char *key;   /* of the list of records in the object */
	const char *query; /* NULL for a list */
	size_t max;
	bool later; /* an earlier page of the list exists */
};

static bool was_warned_of(const struct items *all, size_t i)
{
	const struct record *r = &all->list[i].r;

	for (size_t k = 0; k < i; k++) {
		if (all->list[k].r.id == r->id &&
		    all->list[k].r.scope == r->scope)
			return true;
	}
	return false;
}

/* Append a warning about the ids that several records have; nothing if there
 * are none. */
static void add_warning(struct buf *out, const struct items *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct item *item = &all->list[i];

		if (!item->doubled || was_warned_of(all, i) || n++ >= WARNED)
			continue;
		buf_addf(out, "%s%s%lld",
			 n > 1 ? ", " : "WARNING: more than one file has id ",
			 record_prefix(&item->r), (long long)item->r.id);
	}
	if (n > WARNED)
		buf_addf(out, " and %zu more", n - WARNED);
	if (n)
		buf_adds(out, "; a person repairs it with 'co knowledge "
			      "--check --fix'.");
}

/* Append the N records as text, and a note on those that were left out. NEXT is
 * the cursor for them, or "". */
static void add_text(struct buf *out, const struct records *found,
		     size_t left_out, const struct plan *plan, const char *next)
{
	const bool part = !plan->query && (left_out || plan->later);

	if (plan->query)
		display_recall(out, found, plan->query);
	else if (!part)
		display_list(out, found, true);
	else if (!plan->later)
		buf_addf(out, "Total memories: %zu\n\n", found->n + left_out);
	for (size_t i = 0; part && i < found->n; i++)
		display_line(out, &found->items[i], NULL);
	if (left_out)
		buf_addf(out, "%zu %s left out for want of room", left_out,
			 plan->query ? "more are" : "older are");
	if (*next)
		buf_addf(out, "; list_memories lists them with before \"%s\"",
			 next);
	if (left_out)
		buf_adds(out, ".\n");
}

/* Return true if KEY of ITEM, the FIRST of an answer or not, is redundant for a model:
 * its text once more, how it was counted, the path of a memory that its id identifies,
 * or words that each record has. */
static bool is_repeated(const struct item *item, const struct value_pair *key,
			bool first)
{
	static const char with_content[] = "summary|snippet|total|coverage";
	const struct value *name = &key->key;

	/* The content has the notes of the server. */
	if (item->r.commit && value_is_word(name, "path|title|tags|source"))
		return true;
	if (value_is(name, "path"))
		return item->r.id && !item->doubled;
	if (value_is(name, "tags"))
		return !item->r.ntags;
	if (value_is(name, "scope"))
		return item->r.scope == SCOPE_PROJECT;
	if (value_is(name, "kind"))
		return item->r.kind == RECORD_MEMORY;
	if (value_is(name, "contradicts"))
		return true; /* the other one has "contradicted_by" */
	if (value_is(name, "instead"))
		return !first;
	return item->content ? value_is_word(name, with_content)
			     : value_is(name, "source");
}

/* Remove from V, a record of ITEM, the keys of is_repeated(). The pairs are
 * allocated in A. */
static void make_brief(const struct item *item, struct value *v, bool first,
		       struct arena *a)
{
	struct value_pair *pairs =
		arena_alloc(a, (v->u.map.n + 1) * sizeof(*pairs));
	size_t n = 0;

	for (size_t i = 0; i < v->u.map.n; i++) {
		if (!is_repeated(item, &v->u.map.pairs[i], first))
			pairs[n++] = v->u.map.pairs[i];
	}
	v->u.map.pairs = pairs;
	v->u.map.n = n;
}

/* Lay out N of ALL in OUT: the first ones of an answer, the last ones of a
 * list. Return true if they fit. */
static bool lay_out_some(struct mcp_result *out, const struct items *all,
			 size_t n, size_t share, const struct plan *plan)
{
	const size_t first = plan->query ? 0 : all->n - n;
	const size_t left_out = all->unread + all->n - n;
	struct arena a = {0};
	struct record *records = arena_alloc(&a, (n + 1) * sizeof(*records));
	const struct records found = {records, n};
	struct buf next = {0}, warning = {0};
	struct value v;

	if (left_out && n && !plan->query)
		cursor_format(&next, &all->list[first].cursor);
	add_warning(&warning, all);
	mcp_result_release(out);
	json_write_open(&out->object, NULL, '{');
	json_write_int(&out->object, "count", (int64_t)n);
	if (left_out)
		json_write_int(&out->object, "left_out", (int64_t)left_out);
	json_write_open(&out->object, plan->key, '[');
	for (size_t i = 0; i < n; i++) {
		lay_out(&all->list[first + i], share, &a, &records[i], &v);
		make_brief(&all->list[first + i], &v, !i, &a);
		json_write_raw(&out->object, NULL, "");
		json_write_value(&out->object, &v, NULL);
	}
	json_write_close(&out->object, ']');
	if (next.len)
		json_write_text(&out->object, "next", next.p);
	if (warning.len) {
		json_write_text(&out->object, "warning", warning.p);
		buf_addf(&out->text, "%s\n\n", warning.p);
	}
	json_write_close(&out->object, '}');
	add_text(&out->text, &found, left_out, plan, buf_str(&next));
	buf_release(&warning);
	buf_release(&next);
	arena_release(&a);
	return out->text.len <= plan->max && out->object.len <= plan->max;
}

/* Return how many of ALL fit at the smallest share. */
static size_t count_fitting(struct mcp_result *out, const struct items *all,
			    const struct plan *plan)
{
	size_t low = 0, high = all->n;

	while (low < high) {
		const size_t n = low + (high - low + 1) / 2;

		if (lay_out_some(out, all, n, SHARE_LEAST, plan))
			low = n;
		else
			high = n - 1;
	}
	return low;
}

/* Lay out as many of ALL as fit, at the largest share that still fits. Return
 * how many. */
static size_t fit_most(struct mcp_result *out, const struct items *all,
		       const struct plan *plan)
{
	size_t n = all->n, share = plan->max;

	if (lay_out_some(out, all, n, share, plan))
		return n;
	n = count_fitting(out, all, plan);
	for (share -= share / 8; share > SHARE_LEAST; share -= share / 8) {
		if (lay_out_some(out, all, n, share, plan))
			return n;
	}
	lay_out_some(out, all, n, SHARE_LEAST, plan);
	return n;
}

/* Add ITEM to the items of OUT, and the words that it shares with QUERY (may be
 * NULL) to its words. Only if its TEXT is shown is the checksum of its file
 * added. */
static void note_item(struct mcp_result *out, const struct item *item,
		      const char *query, bool text)
{
	const bool draft = layout_is_draft(item->r.path);
	const struct shown_memory m = {
		.id = item->r.kind == RECORD_MEMORY && !draft ? item->r.id : 0,
		.scope = item->r.scope,
		.project = shown_project(&item->r),
		.prefix = item->r.prefix,
		.external = record_marks(&item->r) & MARK_EXTERNAL,
		.path = text && !item->r.commit ? item->r.path : NULL,
		.sha256 = item->sum,
		.bytes = item->r.content_len,
		.why = SHOWN_ASKED,
	};

	shown_add(&out->items, &m);
	if (query)
		shown_words_add(&out->words, query, &item->r);
}

static void lay_out_fitting(struct mcp_result *out, const struct items *all,
			    const struct plan *plan)
{
	const size_t n = fit_most(out, all, plan);
	const size_t first = plan->query ? 0 : all->n - n;

	for (size_t i = 0; i < n; i++) {
		const struct item *item = &all->list[first + i];

		/* Turns of conversations are not in a store. */
		if (item->r.kind == RECORD_CONVERSATION)
			out->conversation = true;
		else
			note_item(out, item, plan->query, !all->heads);
	}
}

int mcp_result_recall(struct mcp_result *r, const char *p, size_t len,
		      const char *query, struct err *e)
{
	const struct plan plan = {"results", query, MCP_RESULT_RECALL_MAX,
				  false};
	struct items all = {0};
	int result = items_read(&all, p, len, 2 * plan.max, e);

	for (size_t i = 0; !result && i < all.n; i++) {
		for (size_t k = 0; k < all.n; k++) {
			const struct record *other = &all.list[k].r;

			if (k != i && other->id &&
			    other->id == all.list[i].r.id &&
			    other->scope == all.list[i].r.scope &&
			    !other->elsewhere == !all.list[i].r.elsewhere &&
			    (!other->elsewhere ||
			     !strcmp(other->elsewhere,
				     all.list[i].r.elsewhere)))
				all.list[i].doubled = true;
		}
	}
	if (!result)
		lay_out_fitting(r, &all, &plan);
	items_release(&all);
	return result;
}

int mcp_result_list(struct mcp_result *r, const char *p, size_t len,
		    const struct cursor *before, struct err *e)
{
	const size_t part = before ? cursor_before(p, len, before) : len;
	const struct plan plan = {"memories", NULL, MCP_RESULT_LIST_MAX,
				  part < len};
	struct items all = {.heads = true};
	int result = items_read(&all, p, part, plan.max, e);

	for (size_t i = 0; !result && i < all.n; i++) {
		struct item *item = &all.list[i];

		item->cursor = cursor_at(p, len, item->start, &all.arena);
		item->doubled = item->cursor.file;
	}
	if (!result)
		lay_out_fitting(r, &all, &plan);
	items_release(&all);
	return result;
}

/* Append a warning that ALL, several files, have one id. */
static void name_doubled(struct buf *out, const struct items *all)
{
	buf_addf(out, "WARNING: id %lld belongs to %zu files:",
		 (long long)all->list[0].r.id, all->n + all->unread);
	for (size_t i = 0; i < all->n; i++)
		buf_addf(out, "%s '%s'", i ? "," : "",
			 file_name_of(all->list[i].r.path));
	buf_adds(out, "; a person repairs it with 'co knowledge --check "
		      "--fix'.");
}

/* Append a warning that ITEM was replaced. */
static void warn_replaced(struct buf *out, const struct item *item)
{
	buf_addf(out, "WARNING: memory %lld was replaced",
		 (long long)item->r.id);
	if (item->replaced_by)
		buf_addf(out, " by memory %lld", (long long)item->replaced_by);
	buf_adds(out, ": it does not hold any more.");
}

/* Lay out those of ALL whose file is FILE (NULL: all). The object is the first
 * of them. Return how many. */
static size_t show_items(struct mcp_result *r, struct items *all,
			 const char *file)
{
	struct record record;
	struct value v;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		if (file && strcmp(all->list[i].file, file) != 0)
			continue;
		lay_out(&all->list[i],
			MCP_RESULT_SHOW_MAX / (file ? 1 : all->n), &all->arena,
			&record, &v);
		all->list[i].doubled = all->n > 1;
		make_brief(&all->list[i], &v, !n, &all->arena);
		display_memory(&r->text, &record, NULL);
		if (all->list[i].sum)
			buf_addf(&r->text, "sha256: %s\n", all->list[i].sum);
		if (n == 1)
			json_write_open(&r->object, "others", '[');
		if (n)
			json_write_raw(&r->object, NULL, "");
		json_write_value(&r->object, &v, NULL);
		if (!n++)
			buf_cut(&r->object, r->object.len - 1);
		note_item(r, &all->list[i], NULL, true);
	}
	if (n > 1)
		json_write_close(&r->object, ']');
	return n;
}

int mcp_result_show(struct mcp_result *r, const char *p, size_t len,
		    int64_t asked, const char *file, bool sums, struct err *e)
{
	struct buf warning = {0};
	struct items all = {.sums = sums};
	int result = items_read(&all, p, len, 2 * MCP_RESULT_SHOW_MAX, e);

	if (!result && all.n > 1)
		name_doubled(&warning, &all);
	else if (!result && all.n && all.list[0].replaced_by >= 0)
		warn_replaced(&warning, &all.list[0]);
	else if (!result && all.n && asked && all.list[0].r.id != asked)
		buf_addf(&warning,
			 "Memory %lld has the id %lld since a repair.",
			 (long long)asked, (long long)all.list[0].r.id);
	if (warning.len)
		buf_addf(&r->text, "%s\n\n", warning.p);
	if (!result && !show_items(r, &all, file))
		result = err_set(e, ERR_DATA, "there is no record");
	if (!result && warning.len)
		json_write_text(&r->object, "warning", warning.p);
	if (!result)
		json_write_close(&r->object, '}');
	buf_release(&warning);
	items_release(&all);
	return result;
}

/* Return the length of a program's name and ": " at the start of P, as in
 * "co-recall: ". */
static size_t name_length(const char *p, size_t len)
{
	const char *colon = len > 3 && !memcmp(p, "co-", 3)
				    ? memchr(p, ':', len - 1)
				    : NULL;

	if (!colon || memchr(p, ' ', (size_t)(colon - p)) || colon[1] != ' ')
		return 0;
	return (size_t)(colon - p) + 2;
}

/* Return the length of LINE without the hint how to overrule a refusal: that is
 * for a person, not for an agent. */
static size_t without_advice(const char *line, size_t len)
{
	static const char advice[] = ": use --allow-secret if it is not one\n";
	const size_t n = sizeof(advice) - 1;

	return len > n && !memcmp(line + len - n, advice, n) ? len - n : len;
}

void mcp_result_failure(struct mcp_result *r, const char *what, const char *p,
			size_t len)
{
	const char *end;

	r->error = true;
	buf_adds(&r->text, what);
	for (; len; len -= (size_t)(end - p), p = end) {
		size_t line, name, said;

		end = memchr(p, '\n', len);
		end = end ? end + 1 : p + len;
		line = (size_t)(end - p);
		if (r->text.len >= MCP_RESULT_RECALL_MAX)
			break;
		if (r->text.len + line > MCP_RESULT_RECALL_MAX)
			line = utf8_cut(p, line,
					MCP_RESULT_RECALL_MAX - r->text.len);
		if (line > 5 && !memcmp(p, "hint:", 5))
			continue;
		name = name_length(p, line);
		said = without_advice(p + name, line - name);
		sanitize_prompt(&r->text, p + name, said);
	}
	while (r->text.len && r->text.p[r->text.len - 1] == '\n')
		buf_cut(&r->text, r->text.len - 1);
}

/* Append the schema of a record with its first FIELDS (see repo/record.h) and
 * its marks. With the content, it also has the evidence; if the content is the
 * last field, also the sha256 of the file. */
static void add_record_schema(struct buf *out, const char *key, int fields)
{
	static const char *const types[RECORD_NFIELDS] = {
		[RECORD_ID] = "\"type\":\"integer\"",
		[RECORD_TAGS] = "\"type\":\"array\","
				"\"items\":{\"type\":\"string\"}",
		[RECORD_SCORE] = "\"type\":\"number\"",
		[RECORD_COVERAGE] = "\"type\":\"number\"",
		[RECORD_PARTIAL] = "\"type\":\"boolean\"",
		[RECORD_MARKS] = "\"type\":\"array\","
				 "\"items\":{\"type\":\"string\"}",
		[RECORD_EVIDENCE] =
			"\"type\":\"array\",\"items\":{"
			"\"type\":\"object\",\"properties\":{"
			"\"cite\":{\"type\":\"string\"},"
			"\"state\":{\"type\":\"string\",\"enum\":[\"same\","
			"\"moved\",\"changed\",\"gone\",\"unchecked\"]},"
			"\"at\":{\"anyOf\":[{\"type\":\"string\"},"
			"{\"type\":\"null\"}]}}}",
		[RECORD_CONTRADICTED_BY] =
			"\"type\":\"array\",\"items\":" MCP_RESULT_REF_SCHEMA,
		[RECORD_LIKE] = "\"type\":\"array\","
				"\"items\":{\"type\":\"integer\"}",
		[RECORD_SOURCE] = "\"anyOf\":[{\"type\":\"string\"},"
				  "{\"type\":\"null\"}]",
	};

	json_write_open(out, key, '{');
	json_write_text(out, "type", "object");
	json_write_open(out, "properties", '{');
	for (int i = 0; i < RECORD_NFIELDS; i++) {
		const bool has =
			(i < fields && i != RECORD_CONTRADICTS) ||
			i == RECORD_MARKS ||
			(i == RECORD_EVIDENCE && fields > RECORD_CONTENT) ||
			(i == RECORD_SHA256 && fields == RECORD_CONTENT + 1);
		const char *type =
			i == RECORD_ID && fields != RECORD_CONTENT
				? "\"anyOf\":[{\"type\":\"integer\"},"
				  "{\"type\":\"null\"}]"
				: types[i];

		if (!has)
			continue;
		json_write_open(out, record_fields[i].name, '{');
		json_write_raw(out, NULL, type ? type : "\"type\":\"string\"");
		json_write_text(out, "description", record_fields[i].help);
		json_write_close(out, '}');
	}
	json_write_close(out, '}');
	json_write_open(out, "required", '[');
	json_write_text(out, NULL, "id");
	json_write_text(out, NULL, "created");
	json_write_close(out, ']');
	json_write_close(out, '}');
}

/* Append the schema of an answer with a list of records, under KEY. */
static void add_records_schema(struct buf *out, const char *key, int fields)
{
	json_write_open(out, "outputSchema", '{');
	json_write_text(out, "type", "object");
	json_write_open(out, "properties", '{');
	json_write_raw(
		out, "count",
		"{\"type\":\"integer\",\"description\":\"how many follow\"}");
	json_write_raw(out, "left_out",
		       "{\"type\":\"integer\",\"description\":"
		       "\"how many more there are\"}");
	if (fields == RECORD_CONTENT)
		json_write_raw(out, "next",
			       "{\"type\":\"string\",\"description\":"
			       "\"'before' of the call that lists these\"}");
	json_write_raw(out, "warning",
		       "{\"type\":\"string\",\"description\":"
		       "\"of ids that more than one file has\"}");
	json_write_open(out, key, '{');
	json_write_text(out, "type", "array");
	add_record_schema(out, "items", fields);
	json_write_close(out, '}');
	json_write_close(out, '}');
	json_write_open(out, "required", '[');
	json_write_text(out, NULL, "count");
	json_write_text(out, NULL, key);
	json_write_close(out, ']');
	json_write_close(out, '}');
}

void mcp_result_recall_schema(struct buf *out)
{
	add_records_schema(out, "results", RECORD_FRONTMATTER);
}

void mcp_result_list_schema(struct buf *out)
{
	add_records_schema(out, "memories", RECORD_CONTENT);
}

void mcp_result_show_schema(struct buf *out)
{
	add_record_schema(out, "outputSchema", RECORD_CONTENT + 1);
}

void mcp_result_json(struct buf *out, const struct mcp_result *r, bool object)
{
	json_write_open(out, "content", '[');
	json_write_open(out, NULL, '{');
	json_write_text(out, "type", "text");
	json_write_text(out, "text", buf_str(&r->text));
	json_write_close(out, '}');
	json_write_close(out, ']');
	if (object && r->object.len)
		json_write_raw(out, "structuredContent", r->object.p);
	if (r->error)
		json_write_bool(out, "isError", true);
}
