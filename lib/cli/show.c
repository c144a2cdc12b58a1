/* show.c: ids are looked up in the store; paths need no store. A memory that is
 * found in the archive is shown with a note.
 */
#include "cli/out.h"

#include "base/date.h"
#include "cli/stores.h"
#include "repo/marks.h"
#include "search/cited.h"
#include "search/projects.h"
#include "store/ids.h"
#include "text/color.h"
#include "text/sanitize.h"

#include <unistd.h>

/* Append the span of V in its file to SPANS, unless V is NULL or is not from a
 * file. */
static void add_value(struct spans *spans, const struct value *v,
		      enum color color)
{
	if (v && v->end > v->start)
		color_span_add(spans, v->start, v->end, color);
}

static int by_start(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Find the positions of the id, the date and the tags of R in its file,
 * sorted. */
static void find_field_spans(struct spans *spans, const struct record *r)
{
	const struct value *tags = value_get(r->frontmatter, "tags"), *tag;

	add_value(spans, value_get(r->frontmatter, "id"), COLOR_ID);
	add_value(spans, value_get(r->frontmatter, "created"), COLOR_DATE);
	for (size_t i = 0; (tag = value_item(tags, i)); i++)
		add_value(spans, tag, COLOR_TAG);
	MEM_SORT(spans->items, spans->n, by_start);
}

/* Append TEXT, the file of R, coloured and safe for a terminal. */
static void add_colored(struct buf *out, const struct buf *text,
			const struct record *r)
{
	struct spans spans = {0};
	struct buf safe = {0};
	size_t at = 0;

	find_field_spans(&spans, r);
	for (size_t i = 0; i < spans.n; i++) {
		const struct span *s = &spans.items[i];

		if (s->start < at || s->end > text->len)
			continue;
		sanitize_terminal(out, text->p + at, s->start - at, true);
		buf_cut(&safe, 0);
		sanitize_terminal(&safe, text->p + s->start, s->end - s->start,
				  true);
		color_add(out, &color_plain, s->color, buf_str(&safe),
			  safe.len);
		at = s->end;
	}
	sanitize_terminal(out, buf_str(text) + at, text->len - at, true);
	buf_release(&safe);
	free(spans.items);
}

/* Append the keys of R's frontmatter that add_heading() does not show, as they are in
 * TEXT, its file. */
static void add_keys(struct buf *out, const struct record *r,
		     const struct buf *text)
{
	const struct value *fm = r->frontmatter;

	for (size_t i = 0; fm && fm->kind == VALUE_MAP && i < fm->u.map.n;
	     i++) {
		const struct value_pair *pair = &fm->u.map.pairs[i];
		const struct value *v = &pair->val;

		if (value_is_word(&pair->key, "id|created|tags") ||
		    v->end <= v->start || v->end > text->len)
			continue;
		sanitize_terminal(out, pair->key.u.s.p, pair->key.u.s.len,
				  false);
		buf_adds(out, v->kind == VALUE_LIST || v->kind == VALUE_MAP
				      ? ":\n  "
				      : ": ");
		sanitize_terminal(out, text->p + v->start, v->end - v->start,
				  true);
		buf_addc(out, '\n');
	}
}

/* Append "Memory 7  2026-02-09 14:30  [tags]", the time in local time. */
static void add_heading(struct buf *out, const struct record *r,
			const struct coloring *c)
{
	char id[64], clock[DATE_CLOCK];
	struct buf tag = {0};

	snprintf(id, sizeof(id), "Memory %s%lld", record_prefix(r),
		 (long long)r->id);
	color_add(out, c, COLOR_HEADING, id, strlen(id));
	buf_adds(out, "  ");
	date_clock(r->at, clock);
	color_add(out, c, COLOR_DATE, clock, strlen(clock));
	for (size_t i = 0; i < r->ntags; i++) {
		buf_cut(&tag, 0);
		sanitize_line(&tag, r->tags[i], strlen(r->tags[i]));
		buf_adds(out, i ? ", " : "  [");
		color_add(out, c, COLOR_TAG, buf_str(&tag), tag.len);
	}
	buf_adds(out, r->ntags ? "]" : "");
	marks_text(out, record_marks(r));
	buf_addc(out, '\n');
	buf_release(&tag);
}

/* Append R, whose file is TEXT, as a person reads it. */
static void add_rendered(struct buf *out, const struct out_show *show,
			 const struct record *r, const struct buf *text)
{
	const struct coloring *c = show->coloring ? &color_plain : NULL;
	struct buf safe = {0};

	add_heading(out, r, c);
	add_keys(out, r, text);
	buf_addc(out, '\n');
	sanitize_terminal(&safe, r->content, r->content_len, true);
	color_markdown(out, c, buf_str(&safe), safe.len);
	buf_addc(out, '\n');
	buf_release(&safe);
}

static void print_text(struct out_show *show, const struct record *r)
{
	const struct buf *text = &show->named.text;
	struct buf colored = {0};

	if (show->page && text->len && show->page->len)
		buf_addc(show->page, '\n');
	if (show->rendered && show->page && r->id && r->frontmatter)
		add_rendered(show->page, show, r, text);
	else if (show->coloring)
		add_colored(show->page ? show->page : &colored, text, r);
	else if (!show->page)
		cli_out_text(text->p, text->len);
	else if (isatty(STDOUT_FILENO))
		sanitize_terminal(show->page, text->p, text->len, true);
	else
		buf_add(show->page, text->p, text->len);
	cli_out(buf_str(&colored), colored.len);
	buf_release(&colored);
}

/* Check the citations of R and record the result in R. Print a note if a cited
 * place has changed. */
static void check_citations(struct out_show *show, struct record *r)
{
	static const struct evidence_limits limits = {CITED_HASHED,
						      CITED_FILES};
	const bool user = r->scope == SCOPE_GLOBAL;
	struct layout_place place;
	struct store *s;

	if (!value_get(r->frontmatter, "cites"))
		return;
	s = cli_store(user);
	if (!layout_parse(&s->repo, r->path, &show->arena, &place))
		return;
	if (!show->evidence[user])
		show->evidence[user] = evidence_new(&s->repo, limits);
	cited_note(s, show->evidence[user], r, &show->arena);
	if (r->drifted && out_plain(show->out))
		cli_note("the code that memory %s%lld cites has changed since: "
			 "'co-evidence-check %s%lld' says where",
			 record_prefix(r), (long long)r->id, record_prefix(r),
			 (long long)r->id);
}

/* Show the file at PATH. S is the store that it is in, or NULL. */
static int show_path(struct out_show *show, const struct store *s,
		     const char *path, struct err *e)
{
	struct record r;
	int found = named_file_read(&show->named, path, &show->arena, &r, e);

	if (found < 0)
		return -1;
	if (!found)
		return err_set(e, ERR_NO, "no such file: '%s'", path);
	store_set_origin(s, &r);
	if (out_keeps_back(&r))
		return err_set(e, ERR_SYSTEM,
			       "memory %s%lld is sensitive: it is shown on a "
			       "terminal only",
			       record_prefix(&r), (long long)r.id);
	check_citations(show, &r);
	if (out_plain(show->out))
		print_text(show, &r);
	else
		out_record(show->out, &r);
	return 0;
}

static int by_path(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* Append the paths of the files with ID, sorted. They are borrowed from IDS. */
static void paths_with_id(struct strings *paths, const struct ids *ids,
			  int64_t id)
{
	const struct id_entry *entry = NULL;

	while ((entry = ids_find(ids, id, entry)))
		strings_add(paths, entry->path);
	MEM_SORT(paths->items, paths->n, by_path);
}

/* Print a note that the memory ID, at PATH of S, was replaced, and name
 * the new memory if it is known. */
static void note_replaced(struct store *s, const char *path, int64_t id)
{
	const char *prefix = record_scope_prefix(s->repo.root.scope);
	const int64_t by = store_replaced_by(s, path);

	if (by)
		cli_note("memory %s%lld was replaced by memory %s%lld", prefix,
			 (long long)id, prefix, (long long)by);
	else
		cli_note("memory %s%lld was replaced", prefix, (long long)id);
}

/* Show the memory that had the id OPERAND before, when no memory of S has it
 * now. */
static int show_former(struct out_show *show, struct store *s,
		       const char *operand, struct err *e)
{
	const char *path;
	const int r =
		store_locate(s, AREA_MEMORIES, operand, &show->arena, &path, e);

	return r < 0	? -1
	       : r == 0 ? store_absent(s, operand, e)
			: show_path(show, s, path, e);
}

/* Show each file of S with ID. A file whose name contains ID may be broken or a
 * link: store_read() then reports why. */
static int show_id(struct out_show *show, struct store *s, int64_t id,
		   const char *operand, struct err *e)
{
	struct strings paths = {0};
	const struct ids *ids;
	struct record r;
	bool archived = false;

	if (s->repo.root.scope == SCOPE_GLOBAL && s->repo.root.fd < 0)
		return err_set(e, ERR_NO,
			       "no memory '%s': there is no user store yet",
			       operand);
	show->named.report = NULL; /* the store reports instead */
	ids = ids_load(s, AREA_MEMORIES, e);
	if (!ids)
		return -1;
	paths_with_id(&paths, ids, id);
	if (!paths.n) {
		ids = ids_load(s, AREA_ARCHIVE, e);
		if (!ids)
			return -1;
		paths_with_id(&paths, ids, id);
		if (!paths.n)
			return show_former(show, s, operand, e);
		archived = true;
		note_replaced(s, paths.items[0], id);
	}
	for (size_t i = 0; i < paths.n; i++) {
		const char *path = paths.items[i];

		if (store_read(s, path, &show->arena, &r, e) < 0 ||
		    show_path(show, s, path, e) < 0) {
			show->broken[s->repo.root.scope == SCOPE_GLOBAL] |=
				e->code == ERR_DATA;
			cli_complain(e);
			continue;
		}
		if (!*show->first)
			snprintf(show->first, sizeof(show->first), "%s%lld",
				 record_scope_prefix(s->repo.root.scope),
				 (long long)id);
		if (!archived && marks_now(&r.keys) & MARK_REPLACED) {
			note_replaced(s, path, id);
		}
		show->doubled[s->repo.root.scope == SCOPE_GLOBAL] |=
			i && !archived;
		if (i)
			cli_note("two files have id %lld: '%s' and '%s'",
				 (long long)id, paths.items[i - 1], path);
	}
	free(paths.items);
	return 0;
}

/* Show the memory OPERAND, such as platform:7, of a named store. */
static int show_named(struct out_show *show, const char *operand, struct err *e)
{
	const char *id = strchr(operand, ':') + 1, *path;
	struct store s;
	int r;

	if (projects_named_find(&s, operand, cli_store(false), &show->arena,
				e) < 0)
		return -1;
	r = store_locate(&s, AREA_MEMORIES, id, &show->arena, &path, e);
	if (r == 0)
		err_set(e, ERR_NO, "no memory '%s'", operand);
	r = r == 1 ? show_path(show, &s, path, e) : -1;
	if (r == 0 && !*show->first)
		snprintf(show->first, sizeof(show->first), "%s", operand);
	store_close(&s);
	return r;
}

int out_show(void *ctx, const char *operand, struct err *e)
{
	struct out_show *show = ctx;
	const char *path;
	int64_t id;

	arena_reset(&show->arena);
	if (store_is_id(operand, &id))
		return show_id(show, cli_store(show->global), id, operand, e);
	if (store_is_named_id(operand, &id) && access(operand, F_OK) < 0)
		return show_named(show, operand, e);
	if (store_is_global_id(operand, &id) &&
	    (access(operand, F_OK) < 0 ||
	     store_locate(cli_store(true), AREA_MEMORIES, operand, &show->arena,
			  &path, NULL) != 0))
		return show_id(show, cli_store(true), id, operand, e);
	/* A file that is printed whole shows its own faults. */
	show->named.report = out_plain(show->out) ? NULL : cli_report();
	return show_path(show, NULL, operand, e);
}

void out_show_release(struct out_show *show)
{
	for (int user = 0; user < 2; user++) {
		if (show->broken[user])
			cli_hint_check(user);
		if (show->doubled[user])
			cli_hint_renumber(user);
		evidence_free(show->evidence[user]);
	}
	cli_close_stores();
	named_file_release(&show->named);
	arena_release(&show->arena);
}
