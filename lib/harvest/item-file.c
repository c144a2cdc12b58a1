/* item-file.c: lines are found by their ends alone, so that a file is read at
 * the speed of memory; Markdown's finer rules would make another item of a
 * line in a block of code, and no more.
 */
#include "harvest/item-file.h"

#include "base/utf8.h"
#include "format/frontmatter.h"
#include "text/sanitize.h"

#define FROM " [from: "
#define FROM_MAX 200 /* bytes of a conversation's name */
#define OPEN "## Open"
#define DONE "## Done"

/* Where the line at AT ends, its end included. */
static size_t line_end(const char *p, size_t len, size_t at)
{
	const char *nl = memchr(p + at, '\n', len - at);

	return nl ? (size_t)(nl - p) + 1 : len;
}

/* The bytes of the line [AT, END) without blanks behind. */
static size_t line_length(const char *p, size_t at, size_t end)
{
	while (end > at && strchr("\n\r\t ", p[end - 1]) && p[end - 1])
		end--;
	return end - at;
}

static bool is_line(const char *p, size_t at, size_t end, const char *wanted)
{
	const size_t len = strlen(wanted);

	return line_length(p, at, end) == len && !memcmp(p + at, wanted, len);
}

/* True if the line at AT is a heading of the first two levels. */
static bool is_heading(const char *p, size_t len, size_t at)
{
	size_t n = 0;

	while (n < 3 && at + n < len && p[at + n] == '#')
		n++;
	return n && n < 3 && at + n < len && p[at + n] == ' ';
}

static bool starts_item(const char *p, size_t len, size_t at)
{
	return at + 1 < len && p[at] == '-' && p[at + 1] == ' ';
}

/* True if the line at AT belongs to the item above it. */
static bool goes_on(const char *p, size_t len, size_t at)
{
	return (at < len && p[at] == '\t') ||
	       (at + 1 < len && p[at] == ' ' && p[at + 1] == ' ');
}

size_t item_file_body(const char *p, size_t len)
{
	struct frontmatter fm;

	frontmatter_split(&fm, p, len);
	return fm.body;
}

bool item_walk_next(struct item_walk *w, struct item_span *s)
{
	size_t end;

	if (!w->begun)
		w->at = item_file_body(w->p, w->len);
	w->begun = true;
	for (; w->at < w->len; w->at = end) {
		end = line_end(w->p, w->len, w->at);
		if (starts_item(w->p, w->len, w->at))
			break;
		if (is_heading(w->p, w->len, w->at))
			w->done = is_line(w->p, w->at, end, DONE);
	}
	if (w->at >= w->len)
		return false;
	*s = (struct item_span){w->at, end, w->done};
	while (goes_on(w->p, w->len, s->end) &&
	       line_length(w->p, s->end, line_end(w->p, w->len, s->end)))
		s->end = line_end(w->p, w->len, s->end);
	w->at = s->end;
	return true;
}

/* True if the 10 bytes at P are a day's. */
static bool is_day(const char *p)
{
	for (size_t i = 0; i < ITEM_DAY - 1; i++) {
		if (i == 4 || i == 7 ? p[i] != '-' : p[i] < '0' || p[i] > '9')
			return false;
	}
	return true;
}

/* Take where IT comes from off its text, if it says so. */
static void split_from(struct item *it, struct arena *a)
{
	const size_t least = strlen(FROM), tail = strlen(", ]") + ITEM_DAY - 1;
	const char *end = it->text + it->len, *p;

	if (it->len < least + tail || end[-1] != ']' || !is_day(end - 11) ||
	    memcmp(end - 13, ", ", 2) != 0)
		return;
	for (p = end - tail - least; memcmp(p, FROM, least) != 0; p--) {
		if (p == it->text)
			return;
	}
	it->from = arena_copy(a, p + least, (size_t)(end - tail - (p + least)));
	it->date = arena_copy(a, end - 11, ITEM_DAY - 1);
	it->len = line_length(it->text, 0, (size_t)(p - it->text));
	it->text = arena_copy(a, it->text, it->len);
}

bool item_read(struct item *it, const char *p, const struct item_span *s,
	       struct arena *a)
{
	struct buf text = {0};
	size_t end;

	for (size_t at = s->start; at < s->end; at = end) {
		const char *line = p + at + (at == s->start);
		size_t len;

		end = line_end(p, s->end, at);
		len = (size_t)(p + end - line);
		utf8_strip(&line, &len);
		if (len && text.len)
			buf_addc(&text, ' ');
		buf_add(&text, line, len);
	}
	*it = (struct item){.len = text.len};
	it->text = arena_copy(a, buf_str(&text), text.len);
	buf_release(&text);
	split_from(it, a);
	return it->len > 0;
}

void item_clean(struct buf *out, const char *p, size_t len)
{
	struct buf line = {0};

	utf8_strip(&p, &len);
	for (size_t i = 0; i < len; i++) {
		const bool blank = p[i] && strchr(" \t\n\v\f\r", p[i]);

		if (!blank)
			buf_addc(&line, p[i]);
		else if (p[i] == ' ' || line.p[line.len - 1] != ' ')
			buf_addc(&line, ' ');
	}
	sanitize_terminal(out, buf_str(&line), line.len, false);
	buf_release(&line);
}

void item_clean_from(struct buf *out, const char *from)
{
	const size_t start = out->len;

	item_clean(out, from, strlen(from));
	if (out->len == start)
		return;
	buf_cut(out,
		start + utf8_cut(out->p + start, out->len - start, FROM_MAX));
	for (char *p = out->p + start; *p; p++) {
		if (*p == '[')
			*p = '(';
		else if (*p == ']')
			*p = ')';
	}
}

void item_add(struct buf *out, const char *text, size_t len, const char *from,
	      const char *date)
{
	buf_adds(out, "- ");
	buf_add(out, text, len);
	buf_addf(out, FROM "%s, %s]\n", from, date);
}

void item_file_insert(struct buf *out, const struct buf *text, size_t at,
		      const char *lines, size_t len)
{
	buf_add(out, buf_str(text), at);
	buf_add(out, lines, len);
	buf_add(out, buf_str(text) + at, text->len - at);
}

void item_file_cut(struct buf *out, const struct buf *text,
		   const struct item_span *s)
{
	buf_add(out, buf_str(text), s->start);
	buf_add(out, buf_str(text) + s->end, text->len - s->end);
}

/* The offset of the first line that is WANTED, SIZE_MAX for none. */
static size_t find_line(const struct buf *text, size_t body, const char *wanted)
{
	const char *p = buf_str(text);
	size_t end;

	for (size_t at = body; at < text->len; at = end) {
		end = line_end(p, text->len, at);
		if (is_line(p, at, end, wanted))
			return at;
	}
	return SIZE_MAX;
}

/* Where the section of the heading at AT ends. */
static size_t section_end(const struct buf *text, size_t at)
{
	const char *p = buf_str(text);

	do
		at = line_end(p, text->len, at);
	while (at < text->len && !is_heading(p, text->len, at));
	return at;
}

/* Append the LEN bytes of LINES with the line ends NL. */
static void add_lines(struct buf *out, const struct buf *lines, const char *nl)
{
	size_t end;

	for (size_t at = 0; at < lines->len; at = end) {
		end = line_end(lines->p, lines->len, at);
		buf_add(out, lines->p + at, end - 1 - at);
		buf_adds(out, nl);
	}
}

/* Where the line begins that the byte before AT is of. */
static size_t line_start(const char *p, size_t body, size_t at)
{
	while (at > body && p[at - 1] != '\n')
		at--;
	return at;
}

/* Append TEXT with LINES behind the last line that is not blank of [BODY, END);
 * below HEADING, unless that is NULL. */
static void add_at(struct buf *out, const struct buf *text, size_t body,
		   size_t end, const char *heading, const struct buf *lines)
{
	const struct frontmatter whole = {.text = buf_str(text),
					  .len = text->len};
	const char *p = buf_str(text), *nl = frontmatter_line_end(&whole);
	const size_t filled = body + line_length(p, body, end);
	size_t at = body, next;

	if (filled > body)
		at = line_end(p, text->len, filled - 1);
	buf_add(out, p, at);
	if (at && p[at - 1] != '\n')
		buf_adds(out, nl);
	if (heading) {
		buf_addf(out, "%s%s%s%s", at ? nl : "", heading, nl, nl);
	} else if (p[line_start(p, body, filled)] == '#') {
		/* A blank line stands below a heading. */
		next = line_end(p, text->len, at);
		if (at == next || line_length(p, at, next)) {
			buf_adds(out, nl);
		} else {
			buf_add(out, p + at, next - at);
			at = next;
			if (p[at - 1] != '\n')
				buf_adds(out, nl);
		}
	}
	add_lines(out, lines, nl);
	if (at < text->len && line_length(p, at, line_end(p, text->len, at)))
		buf_adds(out, nl);
	buf_add(out, p + at, text->len - at);
}

void item_file_add(struct buf *out, const struct buf *text, enum category c,
		   bool done, const struct buf *lines)
{
	const size_t body = item_file_body(buf_str(text), text->len);
	struct buf fresh = {0};
	size_t at, end = text->len;

	if (category_template(c) &&
	    !line_length(buf_str(text), body, text->len)) {
		buf_add(&fresh, buf_str(text), text->len);
		if (fresh.len && fresh.p[fresh.len - 1] != '\n')
			buf_addc(&fresh, '\n');
		buf_adds(&fresh, category_template(c));
		item_file_add(out, &fresh, c, done, lines);
		buf_release(&fresh);
		return;
	}
	if (c != CATEGORY_TASKS) {
		add_at(out, text, body, end, NULL, lines);
		return;
	}
	at = find_line(text, body, done ? DONE : OPEN);
	if (at != SIZE_MAX)
		end = section_end(text, at);
	else if (!done && (at = find_line(text, body, DONE)) != SIZE_MAX)
		end = at;
	add_at(out, text, body, end, done && at == SIZE_MAX ? DONE : NULL,
	       lines);
}
