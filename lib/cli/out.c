/* out.c: search results lack frontmatter and file bytes; a record is read again
 * from its file if the output needs them.
 */
#include "cli/out.h"

#include "base/compat.h"
#include "base/date.h"
#include "cli/stores.h"
#include "format/json-write.h"
#include "repo/marks.h"
#include "repo/named-file.h"
#include "search/cited.h"
#include "search/similar.h"
#include "store/display.h"
#include "store/ids.h"
#include "sys/dirs.h"
#include "sys/terminal.h"

#include <sys/stat.h>
#include <unistd.h>

void out_open(struct out *o, struct arena *a)
{
	struct err e;

	if (o->json && o->format)
		cli_usage("--json and --format exclude each other");
	if (o->format && template_new(&o->template, o->format, a, &e) < 0)
		cli_die(&e);
}

const char *out_path_text(const char *path, bool zero, struct buf *quoted)
{
	if (zero || !strchr(path, '\n'))
		return path;
	json_write_str(quoted, path, strlen(path));
	return quoted->p;
}

void out_path(const char *path, bool zero)
{
	struct buf quoted = {0};

	path = out_path_text(path, zero, &quoted);
	cli_out_text(path, strlen(path));
	cli_out(zero ? "\0" : "\n", 1);
	buf_release(&quoted);
}

bool out_plain(const struct out *o)
{
	return !o->json && !o->format;
}

/* Return R with its frontmatter and bytes, which search results lack. They are
 * read from the file, unless its content has changed since the search. They are
 * borrowed from N and A. */
static struct record add_file_fields(const struct record *r,
				     struct named_file *n, struct arena *a)
{
	struct record now, whole = *r;

	if (!r->frontmatter && !r->commit &&
	    named_file_read(n, r->path, a, &now, NULL) == 1 &&
	    now.content_len == r->content_len &&
	    !memcmp(now.content, r->content, r->content_len)) {
		whole.frontmatter = now.frontmatter;
		whole.bytes = now.bytes;
		whole.nbytes = now.nbytes;
	}
	return whole;
}

static void add_record(struct buf *line, const struct out *o,
		       const struct record *r)
{
	if (o->json)
		record_json(line, r, o->detail);
	else if (o->template)
		template_add(line, o->template, r);
}

/* Print R. LINE is a scratch buffer. */
static void print_record(const struct out *o, const struct record *r,
			 struct buf *line)
{
	struct named_file file = {0};
	struct arena a = {0};
	struct record whole;

	buf_cut(line, 0);
	if (out_plain(o)) {
		out_path(r->path, o->zero);
		return;
	}
	if (!(o->json && o->detail) &&
	    (out_uses(o, RECORD_FRONTMATTER) || out_uses(o, RECORD_SHA256))) {
		whole = add_file_fields(r, &file, &a);
		add_record(line, o, &whole);
	} else
		add_record(line, o, r);
	if (o->zero && !o->json) {
		buf_addc(line, '\0');
		cli_out(line->p, line->len);
	} else {
		buf_addc(line, '\n');
		cli_out_text(line->p, line->len);
	}
	named_file_release(&file);
	arena_release(&a);
}

void out_record(const struct out *o, const struct record *r)
{
	struct buf line = {0};

	print_record(o, r, &line);
	buf_release(&line);
}

/* Return the end of the date TEXT, or end the process with 2. */
static struct instant parse_as_of(const char *text)
{
	struct grep_narrow n = {0};
	struct err e;

	if (grep_narrow_dates(&n, NULL, text, &e) < 0)
		cli_usage("%s", e.text);
	return n.until;
}

void out_filter(struct grep_query *q, struct out_filters *f)
{
	struct err e;

	q->narrow.tags = f->tags.items;
	q->narrow.ntags = f->tags.n;
	q->narrow.not_tags = f->not_tags.items;
	q->narrow.nnot_tags = f->not_tags.n;
	if (grep_narrow_dates(&q->narrow, f->since, f->until, &e) < 0)
		cli_usage("%s", e.text);
	q->narrow.lifted = (f->expired ? marks_past() : 0) |
			   (f->sensitive ? MARK_SENSITIVE : 0) |
			   (f->any_scope ? MARK_OTHER_LANGUAGE : 0);
	if (f->as_of) {
		f->at = parse_as_of(f->as_of);
		q->narrow.at = &f->at;
	}
}

static void keep_citing(struct results *all, const struct store *project,
			const char *given)
{
	struct arena a = {0};
	struct citation of;
	const char *path = given;
	struct err e;

	if (citation_place(&of, given, &a, &e) < 0 || (!of.url && !of.commit))
		path = root_relative(&project->repo.root, given, &a);
	if (!path || citation_place(&of, path, &a, &e) < 0)
		cli_usage("'%s' is not a place that this project can cite: "
			  "expected PATH, PATH:10-20, a URL or a commit",
			  given);
	cited_keep(all, project, &of);
	arena_release(&a);
}

static void keep_contradicted(struct results *all)
{
	const size_t partly = similar_contradicted_keep(all).partly;

	if (!partly)
		return;
	cli_note("%zu %s compared only with the nearest %d that say nearly the "
		 "same",
		 partly, partly == 1 ? "memory was" : "memories were",
		 CONTRADICTED_ALIKE);
	cli_hint("'co knowledge --summarize' proposes one for several");
}

/* Remove from ALL the records that do not match M. */
static void keep_matching(struct results *all, struct match *m)
{
	struct arena a = {0};
	size_t kept = 0;
	struct record r;
	struct err e;

	for (size_t i = 0; i < all->n; i++) {
		const struct result hit = all->items[i];
		int found;

		arena_reset(&a);
		results_get(all, &hit, &a, &r);
		found = grep_test(m, &r, &e);
		if (found < 0)
			cli_die(&e);
		if (found)
			all->items[kept++] = hit;
	}
	all->n = kept;
	arena_release(&a);
}

static void keep_words(struct results *all, char *const *words)
{
	struct match *m;
	struct err e;

	for (; *words; words++) {
		if (match_new_word(&m, *words, &e) < 0)
			cli_die(&e);
		keep_matching(all, m);
		match_free(m);
	}
}

void out_keep(struct results *all, const struct store *project,
	      char *const *words, const char *cites, bool contradicted)
{
	keep_words(all, words);
	if (cites)
		keep_citing(all, project, cites);
	if (contradicted)
		keep_contradicted(all);
}

static void add_tags(struct buf *query, const char *operator,
		     const struct strings * tags)
{
	for (size_t i = 0; i < tags->n; i++) {
		if (strchr(tags->items[i], '"'))
			cli_usage("a tag has no quotes: '%s'", tags->items[i]);
		buf_addf(query, "%s%s\"%s\"", query->len ? " " : "", operator,
			 tags->items[i]);
	}
}

bool out_filter_words(struct buf *query, const struct grep_query *q,
		      const struct out_filters *f)
{
	const size_t start = query->len;
	char text[INSTANT_TEXT];

	add_tags(query, "tag:", &f->tags);
	add_tags(query, "not:tag:", &f->not_tags);
	if (q->narrow.has_since) {
		instant_format(q->narrow.since, text);
		buf_addf(query, "%ssince:%s", query->len ? " " : "", text);
	}
	if (q->narrow.has_until) {
		instant_format(q->narrow.until, text);
		buf_addf(query, "%suntil:%s", query->len ? " " : "", text);
	}
	return query->len > start;
}

/* A search result with its sort key. */
struct file_hit {
	struct result hit;
	struct instant at; /* modification time, or size in seconds */
	size_t place;	   /* position by id, for ties */
};

static int compare_files(const void *a, const void *b)
{
	const struct file_hit *x = a, *y = b;
	const int r = instant_cmp(x->at, y->at);

	return r ? r : x->place < y->place ? -1 : 1;
}

/* Sort FOUND by modification time, or by file size if SIZE. Missing files come
 * first. */
static void sort_by_file(struct results *found, bool size)
{
	struct file_hit *all = mem_resize(NULL, found->n + 1, sizeof(*all));
	struct arena a = {0};
	struct record r;
	struct stat st;

	for (size_t i = 0; i < found->n; i++) {
		arena_reset(&a);
		all[i] = (struct file_hit){.hit = found->items[i], .place = i};
		results_get(found, &found->items[i], &a, &r);
		if (lstat(r.path, &st) < 0)
			continue;
		all[i].at = (struct instant){.sec = st.st_size};
		if (!size) {
			const struct timespec t = compat_mtime(&st);

			all[i].at =
				(struct instant){t.tv_sec, (int32_t)t.tv_nsec};
		}
	}
	qsort(all, found->n, sizeof(*all), compare_files);
	for (size_t i = 0; i < found->n; i++)
		found->items[i] = all[i].hit;
	free(all);
	arena_release(&a);
}

void out_sort(struct results *found, const char *key)
{
	results_reorder(found, !strcmp(key, "created") ? RESULTS_BY_CREATED
						       : RESULTS_BY_ID);
	if (!strcmp(key, "modified") || !strcmp(key, "size"))
		sort_by_file(found, !strcmp(key, "size"));
}

bool out_collect(struct store *s, bool user, enum area area,
		 const struct grep_query *q, struct results *all, bool *unread)
{
	struct err e;
	int fd, found;

	*unread |= !cli_open_store_if(s, user);
	found = layout_open(&s->repo, LAYOUT_MEMORIES, &fd, &e);
	if (found == 1)
		close(fd);
	if (found < 0 || grep_collect(s, area, q, all, &e) < 0) {
		cli_complain(&e);
		*unread = true;
	}
	return found == 1;
}

static void report_duplicate(void *ctx, const struct record *x,
			     const struct record *y)
{
	bool *shared = ctx;

	if (!x->elsewhere && !x->prefix)
		shared[x->scope == SCOPE_GLOBAL] = true;
	err_warn(cli_report(), ERR_DATA,
		 "two files have id %lld: '%s' and '%s'", (long long)x->id,
		 x->path, y->path);
}

void out_doubles(const struct results *found, bool hints)
{
	bool shared[2] = {false, false};

	results_each_double(found, report_duplicate, shared);
	for (int user = 0; user < 2; user++) {
		if (hints && shared[user])
			cli_hint_renumber(user);
	}
}

bool out_uses(const struct out *o, enum record_field field)
{
	return o->json || (o->template && template_uses(o->template, field));
}

bool out_whole(const struct out *o)
{
	return (out_uses(o, RECORD_CONTENT) ||
		out_uses(o, RECORD_FRONTMATTER) ||
		out_uses(o, RECORD_SHA256)) &&
	       !(o->json && o->detail == RECORD_LINE);
}

void out_found(const struct out *o, const struct results *found, bool reverse,
	       size_t max)
{
	const size_t n = found->n < max ? found->n : max;
	struct arena arena = {0};
	struct buf line = {0};
	struct record r;

	for (size_t i = 0; i < n; i++) {
		arena_reset(&arena);
		results_get(found,
			    &found->items[reverse ? found->n - 1 - i : i],
			    &arena, &r);
		print_record(o, &r, &line);
	}
	buf_release(&line);
	arena_release(&arena);
}

bool out_shows_sensitive(void)
{
	return isatty(STDOUT_FILENO);
}

bool out_keeps_back(const struct record *r)
{
	return record_marks(r) & MARK_SENSITIVE && !out_shows_sensitive();
}

void out_add_line(struct buf *out, const struct record *r,
		  const struct coloring *c)
{
	(isatty(STDOUT_FILENO) ? display_mention : display_line)(out, r, c);
}

void out_line(const struct record *r, bool sensitive)
{
	static const char kept_back[] = "shown on a terminal only";
	struct record told = *r;
	struct buf text = {0};

	if (!sensitive && out_keeps_back(r)) {
		told.ntags = 0;
		told.content = kept_back;
		told.content_len = sizeof(kept_back) - 1;
		told.title = r->title ? kept_back : NULL;
	}
	out_add_line(&text, &told, NULL);
	out_buf(&text);
}

/* Return the width of the longest id in FOUND, in columns. */
static size_t id_width(const struct results *found)
{
	size_t width = 0;
	char id[64];

	for (size_t i = 0; i < found->n; i++) {
		const struct result *hit = &found->items[i];
		const int len = snprintf(id, sizeof(id), "%s%d",
					 results_prefix(found, hit), hit->id);

		width = (size_t)len > width ? (size_t)len : width;
	}
	return width;
}

void out_rows(const struct out *o, const struct results *found, bool backward,
	      size_t max, const char *color)
{
	const struct coloring *c = cli_colors(color) ? &color_plain : NULL;
	char day[DATE_DAY_TEXT];
	const size_t columns = terminal_columns(STDOUT_FILENO),
		     width = id_width(found),
		     n = found->n < max ? found->n : max;
	struct cited_found cited;
	struct arena a = {0};
	struct buf text = {0};
	struct record r;

	cited_found_begin(&cited, found);
	for (size_t i = 0; i < n; i++) {
		const size_t at = backward ? found->n - 1 - i : i;

		arena_reset(&a);
		results_get(found, &found->items[at], &a, &r);
		cited_found_note(&cited, &found->items[at], &r, &a);
		if (columns && r.created && *r.created)
			r.created = date_day(r.at, day);
		if (r.id)
			display_row(&text, &r, width, columns, c);
		else
			out_add_line(&text, &r, c);
		if (o->zero)
			text.p[text.len - 1] = '\0';
		out_page(&text, false);
	}
	out_page(&text, true);
	cited_found_release(&cited);
	arena_release(&a);
}

void out_lines(const struct results *found, bool sensitive)
{
	struct arena arena = {0};
	struct record r;

	for (size_t i = 0; i < found->n; i++) {
		arena_reset(&arena);
		results_get(found, &found->items[i], &arena, &r);
		out_line(&r, sensitive);
	}
	arena_release(&arena);
}

/* Append the id of the memory that replaced R, if there is one. */
static void add_replaced_by(struct buf *line, const struct record *r)
{
	struct arena a = {0};
	struct value v;

	if (marks_now(&r->keys) & MARK_REPLACED &&
	    record_keys_find(&r->keys, "superseded", &a, &v) == 1 &&
	    v.kind == VALUE_INT)
		json_write_int(line, "replaced_by", v.u.i);
	arena_release(&a);
}

void out_done(const struct record *r, const struct buf *text, const char *key,
	      const char *value, bool json)
{
	struct buf line = {0};

	if (json) {
		json_write_open(&line, NULL, '{');
		json_write_bytes(&line, "display", text->p, text->len);
		json_write_text(&line, "path", r->path);
		json_write_int(&line, "memory_id", r->id);
		if (key)
			json_write_text(&line, key, value);
		record_json_refs(&line, r);
		add_replaced_by(&line, r);
		json_write_close(&line, '}');
		cli_out(line.p, line.len);
	} else {
		cli_out_text(text->p, text->len);
	}
	cli_outs("\n");
	buf_release(&line);
}

void out_saved(const struct record *r, const char *what, bool json)
{
	struct buf text = {0};

	display_file(&text, what, r);
	buf_addf(&text, "Location: %s",
		 json ? r->path : dirs_shown_path(r->path));
	if (!json && isatty(STDOUT_FILENO))
		display_expiry(&text, "\nExpires: ", r);
	out_done(r, &text, NULL, NULL, json);
	buf_release(&text);
}

const char *out_file_name(const char *path, bool user)
{
	const struct layout_directory *d = layout_directory_of(path);
	const int64_t id = ids_of_name(file_name_of(path));

	if (!id || !d || d->area != AREA_MEMORIES || !isatty(STDOUT_FILENO))
		return path;
	return arena_printf(&cli_arena, "memory %s%lld", user ? "g" : "",
			    (long long)id);
}

const char *out_restored_what(const char *path)
{
	return layout_is_article(path) ? "✓ Restored article"
	       : layout_is_draft(path) ? "✓ Restored draft"
				       : "✓ Restored memory";
}

const char *out_saved_what(enum area area, bool known)
{
	static const char *const already[AREA_ANY] = {
		"Already saved as memory", "Already waiting as draft",
		"Already in the trash: memory", "Already replaced: memory"};

	if (known)
		return already[area];
	return area == AREA_DRAFTS ? "✓ Saved draft" : "✓ Saved memory";
}

void out_hint_drafts(bool user)
{
	cli_hint("'co review%s' shows what waits, one by one",
		 user ? " --global" : "");
}

int out_would_save(struct store *s, const struct store_new *n, bool zero,
		   struct err *e)
{
	struct record r = {0};
	struct composed d = {0};
	struct arena a = {0};
	struct buf line = {0};
	int result = save_prepare(s, &d, n, &a, e);

	if (!result) {
		r.content = d.content;
		r.content_len = d.len;
		record_summary(&line, &r);
		out_path(buf_str(&line), zero);
	}
	buf_release(&line);
	arena_release(&a);
	return result;
}

void out_buf(struct buf *text)
{
	cli_out_text(buf_str(text), text->len);
	buf_release(text);
}

void out_json(struct buf *line)
{
	json_write_end(line);
	cli_out(line->p, line->len);
	buf_release(line);
}

void out_notes(struct buf *text)
{
	const char *p = buf_str(text);

	while (*p) {
		const size_t len = strcspn(p, "\n");

		cli_note("%.*s", (int)len, p);
		p += len + (p[len] == '\n');
	}
	buf_release(text);
}

void out_page(struct buf *text, bool ends)
{
	static int terminal = -1; /* cached, as in cli_out_text() */

	if (terminal < 0)
		terminal = isatty(STDOUT_FILENO);
	if (!terminal) {
		cli_out(buf_str(text), text->len);
	} else if (!ends) {
		return;
	} else {
		cli_flush();
		if (!terminal_page(buf_str(text), text->len))
			cli_out(buf_str(text), text->len);
	}
	buf_cut(text, 0);
	if (ends)
		buf_release(text);
}
