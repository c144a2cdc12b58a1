/* item-file.c: a file is only searched for line ends, so it is read at the
 * speed of memory. Limit: Markdown's finer rules are ignored, so a line in a
 * code block may be taken as an item. */
#include "harvest/item-file.h"

#include "base/utf8.h"
#include "format/frontmatter.h"
#include "text/sanitize.h"

#define FROM " [from: "
#define FROM_MAX 200 /* bytes of a conversation's name */
#define OPEN "## Open"
#define DONE "## Done"

/* Return the offset after the line at AT, including its line end. */
static size_t line_end(const char *p, size_t len, size_t at)
{
	const char *nl = memchr(p + at, '\n', len - at);

	return nl ? (size_t)(nl - p) + 1 : len;
}

/* Return the length of the line [AT, END) without trailing blanks. */
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

/* Return true if the line at AT is a heading of level 1 or 2. */
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

/* Return true if the line at AT continues the item above it. */
static bool is_continuation(const char *p, size_t len, size_t at)
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
	while (is_continuation(w->p, w->len, s->end) &&
	       line_length(w->p, s->end, line_end(w->p, w->len, s->end)))
		s->end = line_end(w->p, w->len, s->end);
	w->at = s->end;
	return true;
}

/* Return true if the 10 bytes at P have the form 2026-02-09. */
static bool is_day(const char *p)
{
	for (size_t i = 0; i < ITEM_DAY - 1; i++) {
		if (i == 4 || i == 7 ? p[i] != '-' : p[i] < '0' || p[i] > '9')
			return false;
	}
	return true;
}

/* Move the source at the end of the text of IT, if any, to its fields. */
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

void item_add_raw(struct buf *out, const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (p[i] != '\r')
			buf_addc(out, p[i]);
	}
	if (out->p[out->len - 1] != '\n')
		buf_addc(out, '\n');
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

/* Return the offset of the first line equal to WANTED, or SIZE_MAX. */
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

/* Return the end of the section whose heading is at AT. */
static size_t section_end(const struct buf *text, size_t at)
{
	const char *p = buf_str(text);

	do
		at = line_end(p, text->len, at);
	while (at < text->len && !is_heading(p, text->len, at));
	return at;
}

/* Append LINES with the line ends NL. */
static void append_lines(struct buf *out, const struct buf *lines,
			 const char *nl)
{
	size_t end;

	for (size_t at = 0; at < lines->len; at = end) {
		end = line_end(lines->p, lines->len, at);
		buf_add(out, lines->p + at, end - 1 - at);
		buf_adds(out, nl);
	}
}

/* Return the start of the line that contains the byte before AT. */
static size_t line_start(const char *p, size_t body, size_t at)
{
	while (at > body && p[at - 1] != '\n')
		at--;
	return at;
}

/* Append TEXT with LINES inserted after the last line of [BODY, END) that is
 * not blank. HEADING, unless NULL, is inserted before them. */
static void insert_lines(struct buf *out, const struct buf *text, size_t body,
			 size_t end, const char *heading,
			 const struct buf *lines)
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
		/* Keep a blank line below a heading. */
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
	append_lines(out, lines, nl);
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
		insert_lines(out, text, body, end, NULL, lines);
		return;
	}
	at = find_line(text, body, done ? DONE : OPEN);
	if (at != SIZE_MAX)
		end = section_end(text, at);
	else if (!done && (at = find_line(text, body, DONE)) != SIZE_MAX)
		end = at;
	insert_lines(out, text, body, end, done && at == SIZE_MAX ? DONE : NULL,
		     lines);
}
