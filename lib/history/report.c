/* report.c: an edit is described by field: lists by their added and removed
 * items, the body by its lines, other fields by name. */
#include "history/report.h"

#include "base/date.h"
#include "base/unicode.h"
#include "text/diff.h"
#include "text/markdown.h"
#include "text/sanitize.h"

static const char *const names[] = {
	[CHANGE_LEARNED] = "learned",	    [CHANGE_EDITED] = "edited",
	[CHANGE_MERGED] = "merged",	    [CHANGE_MOVED] = "moved",
	[CHANGE_SUPERSEDED] = "superseded", [CHANGE_ARCHIVED] = "archived",
	[CHANGE_FORGOTTEN] = "forgotten",   [CHANGE_RESTORED] = "restored",
};

static const struct version *changed_version(const struct history_change *c)
{
	return c->now ? c->now : c->was;
}

/* Return the content of V, including its last line end. */
static struct buf content_of(const struct version *v)
{
	const char *end = v->text->content + v->text->content_len;
	const size_t more = end < v->text->p + v->text->len && *end == '\n';

	return (struct buf){(char *)(uintptr_t)v->text->content,
			    v->text->content_len + more, 0};
}

/* Count the body lines that C added and removed. */
static void count_lines(const struct history_change *c, size_t *added,
			size_t *removed)
{
	struct buf was = content_of(c->was), now = content_of(c->now);
	const size_t n = diff_count(&now);
	size_t *kept = mem_alloc((n + 1) * sizeof(*kept));

	diff_keep(kept, &was, &now);
	*added = 0;
	for (size_t i = 0; i < n; i++)
		*added += kept[i] == SIZE_MAX;
	*removed = diff_count(&was) - (n - *added);
	free(kept);
}

static const struct value *find_value(const struct version *v, const char *key)
{
	return v ? value_get(&v->text->fm.data, key) : NULL;
}

/* Call FN for each string in the list KEY of A that the list of B lacks. */
typedef void item_fn(struct buf *out, const struct value *item, char sign);
static void each_added(struct buf *out, const char *key,
		       const struct version *a, const struct version *b,
		       item_fn *fn, char sign)
{
	const struct value *x = find_value(a, key), *y = find_value(b, key);
	const struct value *item;

	for (size_t i = 0; (item = value_item(x, i)); i++) {
		if (item->kind == VALUE_STR && !value_has_item(y, item))
			fn(out, item, sign);
	}
}

static void add_signed(struct buf *out, const struct value *item, char sign)
{
	buf_addf(out, " %c", sign);
	sanitize_line(out, item->u.s.p, item->u.s.len);
}

static void add_json_item(struct buf *out, const struct value *item, char sign)
{
	(void)sign;
	json_write_bytes(out, NULL, item->u.s.p, item->u.s.len);
}

/* Append a comma unless the text from START on is empty. */
static void add_separator(struct buf *out, size_t start)
{
	buf_adds(out, out->len > start ? ", " : " ");
}

/* Append the change of the field KEY from WAS to NOW, NULL if absent. */
static void add_field(struct buf *out, size_t start,
		      const struct history_change *c, const char *key,
		      const struct value *was, const struct value *now)
{
	const bool lists = (!was || was->kind == VALUE_LIST) &&
			   (!now || now->kind == VALUE_LIST);

	if (was && now && value_equal(was, now))
		return;
	add_separator(out, start);
	if (!lists)
		buf_adds(out, !was ? "+" : !now ? "-" : "");
	sanitize_line(out, key, strlen(key));
	if (!lists)
		return;
	each_added(out, key, c->now, c->was, add_signed, '+');
	each_added(out, key, c->was, c->now, add_signed, '-');
}

/* Append " tags +a -b, body +2 -1". */
static void add_details(struct buf *out, const struct history_change *c)
{
	const size_t start = out->len;
	const struct value *was = &c->was->text->fm.data,
			   *now = &c->now->text->fm.data;
	size_t added, removed;

	for (size_t i = 0; i < was->u.map.n; i++) {
		const char *key = was->u.map.pairs[i].key.u.s.p;

		add_field(out, start, c, key, &was->u.map.pairs[i].val,
			  value_get(now, key));
	}
	for (size_t i = 0; i < now->u.map.n; i++) {
		const char *key = now->u.map.pairs[i].key.u.s.p;

		if (!value_get(was, key))
			add_field(out, start, c, key, NULL,
				  &now->u.map.pairs[i].val);
	}
	count_lines(c, &added, &removed);
	if (added || removed) {
		add_separator(out, start);
		buf_addf(out, "body +%zu -%zu", added, removed);
	}
}

/* Return true if the text of a version of C cannot be read, as in a partial
 * clone. Then it is not known what changed. */
static bool lacks_text(const struct history_change *c)
{
	return (c->was && c->was->missing) || (c->now && c->now->missing);
}

static bool has_details(const struct history_change *c)
{
	return (c->kind == CHANGE_EDITED || c->kind == CHANGE_MERGED) &&
	       c->was && c->now && !lacks_text(c);
}

/* Return the id that replaced C's memory, or 0. */
static int64_t successor_id(const struct history_change *c)
{
	const struct value *by =
		c->now ? value_get(&c->now->text->fm.data, "superseded") : NULL;

	return by && by->kind == VALUE_INT ? by->u.i : 0;
}

void report_what(struct buf *out, const struct history_change *c)
{
	const size_t start = out->len + strlen(names[c->kind]) + 1;

	buf_adds(out, names[c->kind]);
	if (c->kind == CHANGE_SUPERSEDED && successor_id(c))
		buf_addf(out, " by %lld", (long long)successor_id(c));
	if (!has_details(c))
		return;
	buf_addc(out, ':');
	add_details(out, c);
	if (out->len == start)
		buf_cut(out, start - 1);
}

void report_subject(struct buf *out, const struct history_change *c)
{
	const struct version *v = changed_version(c);
	const char *name = v->path + strlen("knowledge/");

	if (v->id)
		buf_addi(out, v->id);
	else
		sanitize_line(out, name, strlen(name));
}

/* Return true if V's text must not be printed, since logs may be shared. */
static bool is_hidden(const struct version *v, const struct hidden *hidden)
{
	return v->sensitive || hidden_has(hidden, v->id);
}

/* Append the first line that C added to a document without an id, without a bullet;
 * headings do not count. Return false if there is none, or if C's text is not
 * known. */
static bool add_added_line(struct buf *out, const struct history_change *c)
{
	struct buf was = {0}, now;
	struct record r = {0};
	const char *line;
	size_t *kept, at = 0, len, i = 0;
	bool found = false;

	if (!c->now || c->now->id || lacks_text(c) || !c->now->text->content)
		return false;
	now = content_of(c->now);
	if (c->was && c->was->text->content)
		was = content_of(c->was);
	kept = mem_alloc((diff_count(&now) + 1) * sizeof(*kept));
	diff_keep(kept, &was, &now);
	for (; !found && buf_next_line(&now, &at, &line, &len); i++)
		found = kept[i] == SIZE_MAX && len && *line != '#';
	free(kept);
	if (!found)
		return false;
	r.content = line + (!strncmp(line, "- ", 2) ? 2 : 0);
	r.content_len = (size_t)(line + len - r.content);
	record_summary(out, &r);
	return true;
}

/* Append the line that lists show for C, for PEOPLE or in JSON. */
static void add_summary(struct buf *out, const struct history_change *c,
			bool people)
{
	const struct version_text *t = changed_version(c)->text;
	const struct record r = {.content = t->content ? t->content : "",
				 .content_len = t->content_len};

	if (add_added_line(out, c))
		return;
	if (people)
		markdown_add_headline(out, r.content, r.content_len,
				      MARKDOWN_HEADLINE);
	else
		record_summary(out, &r);
}

void report_summary(struct buf *out, const struct history_change *c,
		    const struct hidden *hidden)
{
	struct buf line = {0};

	if (is_hidden(changed_version(c), hidden))
		return;
	add_summary(&line, c, true);
	sanitize_line(out, buf_str(&line), line.len);
	buf_release(&line);
}

/* Return the bytes of V, borrowed; empty if there is no V or it is not known. */
static struct buf bytes_of(const struct version *v)
{
	if (!v || !v->text || !v->text->len)
		return (struct buf){0};
	return (struct buf){(char *)(uintptr_t)v->text->p, v->text->len, 0};
}

/* Append the line that names the file of V after MARK. */
static void add_file(struct buf *out, const char *mark, const struct version *v)
{
	buf_addf(out, "%s ", mark);
	if (v)
		sanitize_line(out, v->path, strlen(v->path));
	else
		buf_adds(out, "/dev/null");
	buf_addc(out, '\n');
}

/* Return true if the change of the text may be printed. A file without an id,
 * such as an article, is not in HIDDEN, so its version before it lost its mark
 * counts as well. */
static bool shows_diff(const struct history_change *c,
		       const struct hidden *hidden)
{
	return !is_hidden(changed_version(c), hidden) &&
	       !(c->was && c->was->sensitive) && !lacks_text(c);
}

static void add_diff(struct buf *out, const struct history_change *c)
{
	const struct buf was = bytes_of(c->was), now = bytes_of(c->now);

	add_file(out, "---", c->was);
	add_file(out, "+++", c->now);
	diff_lines(out, &was, &now);
}

void report_diff(struct buf *out, const struct history_change *c,
		 const struct hidden *hidden, bool coloring)
{
	static const struct coloring colors;
	struct buf diff = {0}, line = {0};
	const char *p;
	size_t at = 0, len;

	if (shows_diff(c, hidden))
		add_diff(&diff, c);
	while (buf_next_line(&diff, &at, &p, &len)) {
		buf_cut(&line, 0);
		sanitize_terminal(&line, p, len, false);
		if (coloring && (*p == '-' || *p == '+'))
			color_add(out, &colors,
				  *p == '-' ? COLOR_OLD : COLOR_NEW,
				  buf_str(&line), line.len);
		else
			buf_add(out, buf_str(&line), line.len);
		buf_addc(out, '\n');
	}
	if (diff.len)
		buf_addc(out, '\n');
	buf_release(&diff);
	buf_release(&line);
}

void report_commit(struct buf *out, const char *commit)
{
	buf_addf(out, "%.*s", REPORT_COMMIT, commit ? commit : "-");
}

void report_name(struct buf *out, const char *name)
{
	name = name ? name : "-";
	sanitize_line(out, name, strlen(name));
}

size_t report_columns(const struct buf *out, size_t from)
{
	return unicode_columns(buf_str(out) + from, out->len - from);
}

size_t report_author_width(const struct history *h)
{
	struct buf name = {0};
	size_t width = 1, columns;
	bool any = false;

	for (size_t i = 0; i < h->n; i++) {
		if (!h->steps[i].n)
			continue;
		any |= h->steps[i].author || h->steps[i].commit;
		buf_cut(&name, 0);
		report_name(&name, h->steps[i].author);
		columns = report_columns(&name, 0);
		width = columns > width ? columns : width;
	}
	buf_release(&name);
	return any ? width : 0;
}

void report_pad(struct buf *out, size_t from, size_t width)
{
	const size_t columns = report_columns(out, from);

	buf_addf(out, "%*s", (int)(width - columns) + 2, "");
}

void report_line(struct buf *out, const struct history_step *s,
		 const struct history_change *c, size_t width,
		 const struct hidden *hidden)
{
	char day[DATE_DAY_TEXT];
	size_t from;

	buf_addf(out, "%-10s  ", c->at.sec ? date_day(c->at, day) : "-");
	if (width) {
		from = out->len;
		report_name(out, s->author);
		report_pad(out, from, width);
		from = out->len;
		report_commit(out, s->commit);
		report_pad(out, from, REPORT_COMMIT);
	}
	if (hidden) {
		report_subject(out, c);
		buf_addc(out, ' ');
	}
	report_what(out, c);
	if (hidden) {
		buf_adds(out, " (");
		report_summary(out, c, hidden);
		buf_addc(out, ')');
	}
	buf_addc(out, '\n');
}

static void add_tags(struct buf *out, const char *key, const struct version *a,
		     const struct version *b)
{
	json_write_open(out, key, '[');
	each_added(out, "tags", a, b, add_json_item, 0);
	json_write_close(out, ']');
}

void report_json(struct buf *out, const struct history_step *s,
		 const struct history_change *c, const struct hidden *hidden,
		 bool diff)
{
	const struct version *v = changed_version(c);
	const bool hide = is_hidden(v, hidden);
	struct buf line = {0};
	char at[INSTANT_TEXT];
	size_t added, removed;

	json_write_open(out, NULL, '{');
	if (v->id)
		json_write_int(out, "id", v->id);
	json_write_text(out, "path", hide ? NULL : v->path);
	json_write_text(out, "what", names[c->kind]);
	json_write_text(out, "at",
			c->at.sec ? instant_format(c->at, at) : NULL);
	json_write_text(out, "author", s->author);
	json_write_text(out, "commit", s->commit);
	if (successor_id(c))
		json_write_int(out, "superseded", successor_id(c));
	if (has_details(c)) {
		add_tags(out, "tags_added", c->now, c->was);
		add_tags(out, "tags_removed", c->was, c->now);
		count_lines(c, &added, &removed);
		json_write_size(out, "lines_added", added);
		json_write_size(out, "lines_removed", removed);
	}
	if (!hide)
		add_summary(&line, c, false);
	json_write_text(out, "summary", buf_str(&line));
	buf_cut(&line, 0);
	if (diff && shows_diff(c, hidden)) {
		add_diff(&line, c);
		json_write_bytes(out, "diff", line.p, line.len);
	}
	json_write_close(out, '}');
	buf_release(&line);
}
