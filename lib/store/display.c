/* display.c: see display.h. */
#include "store/display.h"

#include "base/unicode.h"
#include "base/utf8.h"
#include "repo/marks.h"
#include "text/markdown.h"
#include "text/sanitize.h"

/* Append the LEN bytes of P, sanitized and on one line. */
static void add_line(struct buf *out, const char *p, size_t len)
{
	const size_t start = out->len;

	sanitize_prompt(out, p, len);
	for (size_t i = start; i < out->len; i++) {
		if (out->p[i] == '\n')
			out->p[i] = ' ';
	}
}

#define EXTERNAL "external-text"

/* Limits of the fields of external records, in bytes. */
#define HEADINGS_MAX ((size_t)200)
#define SOURCE_MAX ((size_t)300)
#define TAG_MAX ((size_t)64)

#define TAGS_MAX ((size_t)10) /* tags of an external record */
#define LIKE_SHOWN 5	      /* ids of similar records */

#define HEADLINE_MAX ((size_t)1000) /* characters: wider than a terminal */

/* Append the external text P as one line, cut to MAX bytes. It cannot contain the
 * tag of EXTERNAL. */
static void add_foreign(struct buf *out, const char *p, size_t max)
{
	const size_t len = strlen(p);
	struct buf line = {0};

	add_line(&line, p, len > max ? utf8_cut(p, len, max) : len);
	buf_adds(&line, len > max ? "..." : "");
	sanitize_tagged(out, buf_str(&line), line.len, EXTERNAL);
	buf_release(&line);
}

/* Append the LEN bytes of P as one line in COLOR. */
static void add_field(struct buf *out, const struct coloring *c,
		      enum color color, const char *p, size_t len)
{
	struct buf line = {0};

	add_line(&line, p, len);
	color_add(out, c, color, buf_str(&line), line.len);
	buf_release(&line);
}

static void add_tags(struct buf *out, const char *before,
		     const struct record *r, const char *after,
		     const struct coloring *c)
{
	const bool article = record_is_external(r);
	const size_t n = article && r->ntags > TAGS_MAX ? TAGS_MAX : r->ntags;

	for (size_t i = 0; i < n; i++) {
		const size_t len = strlen(r->tags[i]);

		buf_adds(out, i ? ", " : before);
		add_field(out, c, COLOR_TAG, r->tags[i],
			  article && len > TAG_MAX
				  ? utf8_cut(r->tags[i], len, TAG_MAX)
				  : len);
	}
	if (r->ntags)
		buf_adds(out, after);
}

/* Append the id of R as people type it, with at least DIGITS digits. */
static void add_id(struct buf *out, const struct record *r, int digits,
		   const struct coloring *c)
{
	char id[32];

	snprintf(id, sizeof(id), "%s%0*lld", record_prefix(r), digits,
		 (long long)r->id);
	color_add(out, c, COLOR_ID, id, strlen(id));
}

static void add_day(struct buf *out, const struct record *r,
		    const struct coloring *c)
{
	add_field(out, c, COLOR_DATE, r->created, strnlen(r->created, 10));
}

/* Append the LEN bytes of P, sanitized, with the matches of the query coloured. */
static void add_text(struct buf *out, const struct coloring *c, const char *p,
		     size_t len)
{
	struct buf text = {0};

	sanitize_prompt(&text, p, len);
	color_add_found(out, c, buf_str(&text), text.len);
	buf_release(&text);
}

/* Append P as the value of an attribute, cut to SOURCE_MAX bytes. */
static void add_value(struct buf *out, const char *p)
{
	static const struct {
		char c;
		const char *as;
	} marks[] = {{'"', "&quot;"}, {'<', "&lt;"}, {'>', "&gt;"}};
	struct buf line = {0};

	add_line(&line, p, utf8_cut(p, strlen(p), SOURCE_MAX));
	for (const char *at = buf_str(&line); *at; at++) {
		size_t i = 0;

		while (i < ARRAY_LEN(marks) && marks[i].c != *at)
			i++;
		if (i < ARRAY_LEN(marks))
			buf_adds(out, marks[i].as);
		else
			buf_addc(out, *at);
	}
	buf_release(&line);
}

/* Return the headings above R, which is not a memory, or its file name if it has none. */
static const char *title_of(const struct record *r)
{
	return r->title && *r->title ? r->title : file_name_of(r->path);
}

/* Append the title, tags and source of R, which a server sent, one line each. */
static void add_server_fields(struct buf *out, const struct record *r)
{
	if (r->kind != RECORD_MEMORY) {
		const char *title = title_of(r);

		buf_adds(out, "Title: ");
		add_line(out, title,
			 utf8_cut(title, strlen(title), HEADINGS_MAX));
		buf_addc(out, '\n');
	}
	add_tags(out, "Tags: ", r, "\n", NULL);
	if (r->kind != RECORD_MEMORY && r->source) {
		buf_adds(out, "Source: ");
		add_line(out, r->source,
			 utf8_cut(r->source, strlen(r->source), SOURCE_MAX));
		buf_addc(out, '\n');
	}
}

void display_external(struct buf *out, const struct record *r, const char *p,
		      size_t len, const struct coloring *c)
{
	struct buf all = {0}, text = {0}, tagged = {0}, id = {0};

	if (r->commit)
		add_server_fields(&all, r);
	if (r->kind == RECORD_MEMORY) {
		buf_adds(&id, "memory ");
		add_id(&id, r, 1, NULL);
	}
	buf_add(&all, p, len);
	sanitize_prompt(&text, buf_str(&all), all.len);
	sanitize_tagged(&tagged, buf_str(&text), text.len, EXTERNAL);
	buf_adds(out, "<" EXTERNAL " source=\"");
	add_value(out, r->commit		  ? r->project
		       : r->kind == RECORD_MEMORY ? buf_str(&id)
		       : r->source		  ? r->source
						  : "");
	buf_adds(out, "\">\n");
	color_add_found(out, c, buf_str(&tagged), tagged.len);
	buf_adds(out, "\n</" EXTERNAL ">");
	buf_release(&all);
	buf_release(&text);
	buf_release(&tagged);
	buf_release(&id);
}

/* Append the LEN bytes of P, the content of R or a part of it. An external text could
 * have a line like the heading of another memory, so its end is marked too. */
static void add_content(struct buf *out, const struct record *r, const char *p,
			size_t len, const struct coloring *c)
{
	if (record_marks(r) & MARK_EXTERNAL)
		display_external(out, r, p, len, c);
	else
		add_text(out, c, p, len);
}

/* Append title_of() R. */
static void add_headings(struct buf *out, const struct record *r)
{
	const char *title = title_of(r);

	if (record_is_external(r))
		add_foreign(out, title, HEADINGS_MAX);
	else
		add_line(out, title, strlen(title));
}

/* Append the kind, headings, date and source of R, which is not a memory. */
static void add_origin(struct buf *out, const struct record *r,
		       const struct coloring *c)
{
	static const char *const names[] = {
		[RECORD_MEMORY] = "Memory",
		[RECORD_ITEM] = "Item",
		[RECORD_ARTICLE] = "Article",
		[RECORD_CONVERSATION] = "Conversation",
	};
	const bool day = r->created && *r->created;
	const char *source = r->commit ? NULL : r->source;

	buf_addf(out, "**%s", names[r->kind]);
	if (!r->commit) {
		buf_adds(out, ": ");
		add_headings(out, r);
	}
	buf_adds(out, "**");
	if (day || source)
		buf_adds(out, r->kind == RECORD_ARTICLE && day ? " (fetched "
							       : " (");
	if (day)
		add_day(out, r, c);
	if (day && source)
		buf_adds(out, ", ");
	if (source && record_is_external(r))
		add_foreign(out, source, SOURCE_MAX);
	else if (source)
		add_line(out, source, strlen(source));
	if (day || source)
		buf_addc(out, ')');
}

/* Append the store of R, unless it is the current project's or the id has its
 * prefix. */
static void add_scope(struct buf *out, const struct record *r)
{
	if (r->commit) {
		buf_addf(out, " (remote, %.12s of %.10s", r->commit, r->as_of);
		if (r->kind != RECORD_MEMORY)
			buf_addf(out, ", %s", r->project);
		buf_addc(out, ')');
		return;
	}
	if (r->prefix && r->kind == RECORD_MEMORY)
		return;
	if (r->elsewhere) {
		buf_adds(out, " (in ");
		add_line(out, r->elsewhere, strlen(r->elsewhere));
		buf_addc(out, ')');
	} else if (r->scope == SCOPE_GLOBAL) {
		buf_adds(out, " (global)");
	}
}

/* Append the ids of the later memories that contradict R, with their dates. */
static void add_contradictions(struct buf *out, const struct record *r)
{
	const struct record_refs *by = &r->contradicted_by;

	for (size_t i = 0; i < by->n; i++) {
		const struct record_ref *ref = &by->items[i];

		buf_addf(out, "%smemory %s%lld",
			 i ? "; " : " (contradicted by ", record_prefix(r),
			 (long long)ref->id);
		if (ref->created)
			buf_addf(out, ", %.10s", ref->created);
	}
	buf_adds(out, by->n ? ")" : "");
}

/* Append the ids of the memories that were left out because they are so similar to
 * R. */
static void add_like(struct buf *out, const struct record *r)
{
	if (r->like.n)
		buf_addf(out, " (and %zu like it:", r->like.n);
	for (size_t i = 0; i < r->like.n && i < LIKE_SHOWN; i++)
		buf_addf(out, "%s %s%lld", i ? "," : "", record_prefix(r),
			 (long long)r->like.items[i].id);
	if (r->like.n)
		buf_adds(out, r->like.n > LIKE_SHOWN ? ", ...)" : ")");
}

/* Append the command or path that shows all of R. There is none for a remote record. */
static void add_whole(struct buf *out, const struct record *r)
{
	if (r->commit)
		return;
	buf_adds(out, ": ");
	if (r->kind == RECORD_MEMORY && (r->prefix || !r->elsewhere))
		buf_addf(out, "co memory-show %s%lld", record_prefix(r),
			 (long long)r->id);
	else
		add_line(out, r->path, strlen(r->path));
}

void display_memory(struct buf *out, const struct record *r,
		    const struct coloring *c)
{
	if (r->kind == RECORD_MEMORY) {
		buf_adds(out, "**Memory ");
		add_id(out, r, 1, c);
		buf_adds(out, "** (created ");
		add_day(out, r, c);
		buf_addc(out, ')');
	} else {
		add_origin(out, r, c);
	}
	add_scope(out, r);
	buf_adds(out, r->partial ? " (partial)" : "");
	marks_text(out, record_marks(r));
	add_contradictions(out, r);
	add_like(out, r);
	buf_addf(out, "%s\n",
		 r->drifted ? " (the code it cites has changed since)" : "");
	if (!r->commit)
		add_tags(out, "Tags: ", r, "\n", c);
	if (!r->snippet || r->content_len <= DISPLAY_WHOLE_MAX) {
		add_content(out, r, r->content, r->content_len, c);
		buf_adds(out, "\n\n");
		return;
	}
	add_content(out, r, r->snippet, strlen(r->snippet), c);
	buf_addf(out, "\n(from %zu bytes", r->content_len);
	add_whole(out, r);
	buf_adds(out, ")\n\n");
}

bool display_fit(struct buf *inner, const struct record *r, size_t room,
		 bool first)
{
	static const char more[] = "(cut: 'co memory-show' has the rest)\n";
	const size_t start = inner->len;
	size_t len;

	display_memory(inner, r, NULL);
	if (inner->len <= room)
		return true;
	len = start;
	if (first && room > start + sizeof(more)) {
		len = room - sizeof(more);
		while (len > start && inner->p[len - 1] != '\n')
			len--;
		/* If the last line is more than half of the room, cut it too. */
		if (len - start < room / 2)
			len = utf8_cut(inner->p, inner->len,
				       room - sizeof(more));
	}
	buf_cut(inner, len);
	if (len == start)
		return false;
	if (inner->p[len - 1] != '\n')
		buf_addc(inner, '\n');
	buf_adds(inner, more);
	return true;
}

static const char *const kinds[RECORD_KINDS][2] = {
	{"memories", "memory"},
	{"items", "item"},
	{"sections of articles", "section of an article"},
	{"turns of conversations", "turn of a conversation"},
};

/* Append "N memories" or another KIND, with a separator unless it is the FIRST of the
 * list. The LAST has " and ". */
static void add_count(struct buf *out, enum record_kind kind, size_t n,
		      bool first, bool last)
{
	buf_addf(out, "%s%zu %s",
		 first	? ""
		 : last ? " and "
			: ", ",
		 n, kinds[kind][n == 1]);
}

void display_found(struct buf *out,
		   const struct display_total totals[RECORD_KINDS],
		   size_t shown, size_t named, enum record_kind wanted,
		   const char *query)
{
	size_t counts[RECORD_KINDS], whole = 0, partial = 0, some = 0, n = 0;

	for (size_t i = 0; i < RECORD_KINDS; i++) {
		whole += totals[i].whole;
		partial += totals[i].partial;
	}
	for (size_t i = 0; i < RECORD_KINDS; i++) {
		counts[i] = whole ? totals[i].whole : totals[i].partial;
		some += counts[i] > 0;
	}
	buf_adds(out, some ? "Found " : "No ");
	for (enum record_kind k = 0; k < RECORD_KINDS; k++) {
		if (!counts[k])
			continue;
		n++;
		add_count(out, k, counts[k], n == 1, n == some);
	}
	if (!some)
		buf_addf(out, "%s found", kinds[wanted][0]);
	buf_adds(out, whole || !some ? " matching '" : " partly matching '");
	add_line(out, query, strlen(query));
	buf_adds(out, "'");
	if (whole && partial)
		buf_addf(out, " and %zu partly", partial);
	if (shown + named < whole + partial)
		buf_addf(out, ", the first %zu", shown);
	buf_adds(out, some ? ":\n\n" : "\n");
}

void display_recall(struct buf *out, const struct records *found,
		    const char *query)
{
	struct display_total totals[RECORD_KINDS] = {0};
	size_t seen[RECORD_KINDS][2] = {0}, named = 0;

	for (size_t i = 0; i < found->n; i++) {
		const struct record *r = &found->items[i];
		size_t *total = r->partial ? &totals[r->kind].partial
					   : &totals[r->kind].whole;
		const size_t n = ++seen[r->kind][r->partial];

		named += r->like.n;
		if (r->total > *total)
			*total = r->total;
		if (n > *total)
			*total = n;
	}
	display_found(out, totals, found->n, named, RECORD_MEMORY, query);
	for (size_t i = 0; i < found->n; i++)
		display_memory(out, &found->items[i], NULL);
}

/* Append NAME, between two MARKs, (DAY) [tags]: TITLE, from SOURCE. */
static void add_article(struct buf *out, const struct record *r,
			const char *mark, const struct coloring *c)
{
	const char *name = strrchr(r->path, '/') + 1;

	buf_adds(out, mark);
	add_field(out, c, COLOR_ID, name, strlen(name));
	buf_addf(out, "%s (", mark);
	add_day(out, r, c);
	buf_addc(out, ')');
	add_scope(out, r);
	add_tags(out, " [", r, "]", c);
	buf_adds(out, ": ");
	add_foreign(out, r->title, HEADINGS_MAX);
	if (r->source) {
		buf_adds(out, ", from ");
		add_foreign(out, r->source, SOURCE_MAX);
	}
	buf_addc(out, '\n');
}

static void add_worktree(struct buf *out, const struct record *r)
{
	if (!r->worktree)
		return;
	buf_adds(out, " (worktree ");
	add_line(out, r->worktree, strlen(r->worktree));
	buf_addc(out, ')');
}

/* Append the line of the memory R after its id. */
static void add_rest(struct buf *out, const struct record *r,
		     const struct coloring *c)
{
	struct buf summary = {0};

	buf_adds(out, " (");
	add_day(out, r, c);
	buf_addc(out, ')');
	add_scope(out, r);
	add_tags(out, " [", r, "]", c);
	marks_text(out, record_marks(r));
	add_worktree(out, r);
	buf_adds(out, ": ");
	record_summary(&summary, r);
	add_line(out, buf_str(&summary), summary.len);
	buf_addc(out, '\n');
	buf_release(&summary);
}

/* Append R if it is not a memory, see add_article(), or is broken. Return false if it is
 * a memory. */
static bool add_other(struct buf *out, const struct record *r, const char *mark,
		      const struct coloring *c)
{
	if (r->id)
		return false;
	if (r->title)
		add_article(out, r, mark, c);
	else
		display_file(out, "broken", r);
	return true;
}

void display_line(struct buf *out, const struct record *r,
		  const struct coloring *c)
{
	if (add_other(out, r, "**", c))
		return;
	buf_adds(out, "**");
	add_id(out, r, *record_prefix(r) ? 1 : 3, c);
	buf_adds(out, "**");
	add_rest(out, r, c);
}

void display_mention(struct buf *out, const struct record *r,
		     const struct coloring *c)
{
	if (add_other(out, r, "", c))
		return;
	add_id(out, r, 1, c);
	add_rest(out, r, c);
}

/* Return the number of bytes of LINE that fit in COLUMNS. The escape sequences of colours
 * take none. */
static size_t fitting(const char *line, size_t len, size_t columns)
{
	size_t used = 0, at = 0, size;

	while (at < len) {
		utf8_decode(line + at, len - at, &size);
		if (line[at] == '\033')
			size = strcspn(line + at, "m") + 1;
		else
			used += unicode_columns(line + at, size);
		if (used > columns)
			break;
		at += size;
	}
	return at;
}

/* Cut LINE to COLUMNS, with an ellipsis at its end, and end its colour. */
static void cut_line(struct buf *line, size_t columns)
{
	const bool colored = line->len && memchr(line->p, '\033', line->len);

	if (!line->len || fitting(line->p, line->len, columns) >= line->len)
		return;
	buf_cut(line, fitting(line->p, line->len, columns - 1));
	buf_adds(line, colored ? "…\033[m" : "…");
}

void display_cut(struct buf *text, size_t from, size_t columns)
{
	struct buf line = {0};
	char *rest;

	if (!columns || from >= text->len)
		return;
	rest = mem_strdup(text->p + from);
	buf_cut(text, from);
	for (const char *p = rest; *p; p += strspn(p, "\n")) {
		const size_t len = strcspn(p, "\n");

		buf_cut(&line, 0);
		buf_add(&line, p, len);
		cut_line(&line, columns);
		buf_add(text, line.p, line.len);
		buf_addc(text, '\n');
		p += len;
	}
	free(rest);
	buf_release(&line);
}

/* Append the marks of R and a blank, if it has any. */
static void add_marks(struct buf *line, const struct record *r)
{
	struct buf marks = {0};

	marks_text(&marks, record_marks(r));
	if (marks.len)
		buf_addf(line, "%s ", marks.p + 1);
	if (r->drifted)
		buf_adds(line, "(source changed) ");
	buf_release(&marks);
}

bool display_expiry(struct buf *out, const char *before, const struct record *r)
{
	struct arena a = {0};
	struct value v;
	struct instant end;
	const bool has = marks_maybe(&r->keys) &&
			 !(marks_now(&r->keys) & MARK_EXPIRED) &&
			 record_keys_find(&r->keys, "expires", &a, &v) == 1 &&
			 marks_end(&v, &end);

	if (has) {
		buf_adds(out, before);
		add_line(out, v.u.s.p, strnlen(v.u.s.p, 10));
	}
	arena_release(&a);
	return has;
}

/* Append the tags of R in brackets, after SEPARATOR; nothing if it has none. */
static void add_row_tags(struct buf *line, const struct record *r,
			 const char *separator, const struct coloring *c)
{
	for (size_t i = 0; i < r->ntags; i++) {
		buf_adds(line, i ? ", " : separator);
		buf_adds(line, i ? "" : "[");
		add_field(line, c, COLOR_TAG, r->tags[i], strlen(r->tags[i]));
	}
	buf_adds(line, r->ntags ? "]" : "");
}

static void add_headline(struct buf *out, const struct record *r)
{
	struct buf line = {0};

	markdown_add_headline(&line, r->content, r->content_len, HEADLINE_MAX);
	add_line(out, buf_str(&line), line.len);
	buf_release(&line);
}

/* Append the text and tags of R to a row that already fills USED of the COLUMNS of the
 * terminal. The tags are left out if they would take more than half of the rest. */
static void add_text_and_tags(struct buf *out, const struct record *r,
			      size_t used, size_t columns,
			      const struct coloring *c)
{
	const size_t rest = columns > used ? columns - used : 1;
	struct buf text = {0}, plain = {0};
	size_t tags;

	add_marks(&text, r);
	if (display_expiry(&text, "(expires ", r))
		buf_adds(&text, ") ");
	add_headline(&text, r);
	if (r->elsewhere)
		add_scope(&text, r);
	add_row_tags(&plain, r, "  ", NULL);
	tags = unicode_columns(buf_str(&plain), plain.len);
	cut_line(&text, tags <= rest / 2 ? rest - tags : rest);
	buf_add(out, buf_str(&text), text.len);
	if (tags <= rest / 2)
		add_row_tags(out, r, "  ", c);
	buf_release(&text);
	buf_release(&plain);
}

void display_row(struct buf *out, const struct record *r, size_t width,
		 size_t columns, const struct coloring *c)
{
	struct buf id = {0}, part = {0};
	size_t pad;

	add_id(&id, r, 1, NULL);
	pad = width > id.len ? width - id.len : 0;
	add_line(&part, r->created, strnlen(r->created, 10));
	buf_addf(out, "%*s", (int)pad, "");
	color_add(out, c, COLOR_ID, id.p, id.len);
	buf_adds(out, "  ");
	color_add(out, c, COLOR_DATE, buf_str(&part), part.len);
	buf_adds(out, "  ");
	if (columns) {
		add_text_and_tags(out, r, pad + id.len + part.len + 4, columns,
				  c);
	} else {
		add_row_tags(out, r, "", c);
		buf_adds(out, r->ntags ? " " : "");
		add_marks(out, r);
		buf_cut(&part, 0);
		record_summary(&part, r);
		add_line(out, buf_str(&part), part.len);
		if (r->elsewhere)
			add_scope(out, r);
	}
	buf_addc(out, '\n');
	buf_release(&id);
	buf_release(&part);
}

void display_total(struct buf *out, size_t n, bool exists)
{
	if (n)
		buf_addf(out, "Total memories: %zu\n\n", n);
	else
		buf_adds(out, exists ? "No memories found.\n"
				     : "No memories saved yet.\n");
}

void display_list(struct buf *out, const struct records *all, bool exists)
{
	display_total(out, all->n, exists);
	for (size_t i = 0; i < all->n; i++)
		display_line(out, &all->items[i], NULL);
}

void display_file(struct buf *out, const char *what, const struct record *r)
{
	const char *name = file_name_of(r->path);

	buf_adds(out, what);
	if (r->id)
		buf_addf(out, " %s%lld", record_prefix(r), (long long)r->id);
	buf_adds(out, ": ");
	add_line(out, name, strlen(name));
	buf_addc(out, '\n');
}
