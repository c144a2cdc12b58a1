/* toml.c: one pass over the statements: table headers, and keys with values. Of
 * a value only the end is determined.
 *
 * Known limit: other errors of TOML (an invalid date, a duplicate of a table that is
 * not searched) are not reported; they were in the file before.
 */
#include "agent/toml.h"

#include "base/ascii.h"
#include "base/utf8.h"

#define PARTS_MAX 16
#define DEPTH_MAX 64

struct key {
	const char *parts[PARTS_MAX];
	size_t n;
};

struct toml_reader {
	const char *p;
	size_t len, at;
	const char *family, *name;
	struct key table; /* the table of the keys that follow */
	bool inside;	  /* it is the searched table or a subtable */
	bool begun;	  /* the searched table had its header */
	struct toml_table *found;
	size_t spans_cap, entries_cap;
	struct arena *a;
	struct err *e;
};

static int set_fault(const struct toml_reader *r, size_t at, const char *what)
{
	return utf8_fault(r->e, r->p, at, what);
}

/* Set the fault that the table that is searched has another form at AT, and WHY. */
static int set_misfit(const struct toml_reader *r, size_t at, const char *why)
{
	return set_fault(r, at,
			 arena_printf(r->a, "expected a table [%s.%s], %s",
				      r->family, r->name, why));
}

static bool has_prefix(const struct toml_reader *r, const char *word)
{
	size_t n = strlen(word);

	return r->len - r->at >= n && memcmp(r->p + r->at, word, n) == 0;
}

static char current_char(const struct toml_reader *r)
{
	return r->at < r->len ? r->p[r->at] : '\n';
}

static void skip_blanks(struct toml_reader *r)
{
	while (r->at < r->len &&
	       (current_char(r) == ' ' || current_char(r) == '\t'))
		r->at++;
}

static void skip_comment(struct toml_reader *r)
{
	if (current_char(r) == '#') {
		while (r->at < r->len && r->p[r->at] != '\n')
			r->at++;
	}
}

/* Skip the string at the read position. *IN is its content. */
static int skip_string(struct toml_reader *r, struct toml_span *in)
{
	static const char *const quotes[] = {"\"\"\"", "'''", "\"", "'"};
	const char *quote = NULL;
	size_t start = r->at, i;

	for (i = 0; !quote && i < ARRAY_LEN(quotes); i++) {
		if (has_prefix(r, quotes[i]))
			quote = quotes[i];
	}
	r->at += strlen(quote);
	in->start = r->at;
	while (r->at < r->len && !has_prefix(r, quote)) {
		if (!quote[1] && current_char(r) == '\n')
			break;
		r->at += *quote == '"' && current_char(r) == '\\' ? 2 : 1;
	}
	if (r->at >= r->len || current_char(r) == '\n')
		return set_fault(r, start, "a string never ends");
	/* Up to two quotes may precede the closing three. */
	while (quote[1] && r->len - r->at > 3 && r->p[r->at + 3] == *quote)
		r->at++;
	in->end = r->at;
	r->at += strlen(quote);
	return 0;
}

/* Append the character of the escape at P of at most LEN bytes. Returns the
 * length of the escape, 0 if it is invalid. */
static size_t add_escape(struct buf *out, const char *p, size_t len)
{
	static const char from[] = "\"\\bfnrte", to[] = "\"\\\b\f\n\r\t\x1B";
	const char *found = len > 1 && p[1] ? strchr(from, p[1]) : NULL;
	const size_t digits = len > 1 && p[1] == 'U' ? 8 : 4;
	char utf8[4];
	uint32_t c;

	if (found) {
		buf_addc(out, to[found - from]);
		return 2;
	}
	if (len < 2 + digits || (p[1] | 32) != 'u' ||
	    !utf8_hex(p + 2, digits, &c) || c > 0x10FFFF ||
	    (c >= 0xD800 && c < 0xE000))
		return 0;
	buf_add(out, utf8, utf8_put(c, utf8));
	return 2 + digits;
}

/* Return the value of the string with the content IN, in the arena. Returns
 * NULL if it is malformed, contains a NUL or has several lines. */
static const char *decode_string(const struct toml_reader *r,
				 const struct toml_span *in)
{
	const char *p = r->p + in->start, *copy = NULL;
	size_t len = in->end - in->start, n;
	const bool raw = p[-1] != '"';
	struct buf text = {0};

	for (; len; p += n, len -= n) {
		n = raw || *p != '\\' ? 1 : add_escape(&text, p, len);
		if (!n)
			break;
		if (raw || *p != '\\')
			buf_addc(&text, *p);
	}
	if (!len && strcspn(buf_str(&text), "\n") == text.len)
		copy = arena_copy(r->a, buf_str(&text), text.len);
	buf_release(&text);
	return copy;
}

static bool is_bare_key_char(char c)
{
	return ascii_is_alnum(c) || c == '_' || c == '-';
}

static int read_key(struct toml_reader *r, struct key *key)
{
	struct toml_span in;

	key->n = 0;
	for (;;) {
		skip_blanks(r);
		if (key->n == PARTS_MAX)
			return set_fault(r, r->at, "a key of too many parts");
		in.start = r->at;
		if (current_char(r) == '"' || current_char(r) == '\'') {
			if (skip_string(r, &in) < 0)
				return -1;
			key->parts[key->n] = decode_string(r, &in);
		} else {
			while (is_bare_key_char(current_char(r)))
				r->at++;
			if (r->at == in.start)
				return set_fault(r, r->at, "expected a key");
			key->parts[key->n] = arena_copy(r->a, r->p + in.start,
							r->at - in.start);
		}
		if (!key->parts[key->n])
			return set_fault(r, in.start,
					 "a key that cannot be read");
		key->n++;
		skip_blanks(r);
		if (current_char(r) != '.')
			return 0;
		r->at++;
	}
}

/* Skip the value at the read position, over several lines while brackets are
 * open. */
static int skip_value(struct toml_reader *r)
{
	size_t start = r->at, depth = 0;
	struct toml_span in;

	for (;;) {
		const char c = current_char(r);

		if (c == '"' || c == '\'') {
			if (skip_string(r, &in) < 0)
				return -1;
			continue;
		}
		if (r->at >= r->len || (!depth && (c == '\n' || c == '#')))
			break;
		if (c == '#') {
			skip_comment(r);
			continue;
		}
		if (c == '[' || c == '{')
			depth++;
		if ((c == ']' || c == '}') && !depth--)
			return set_fault(r, r->at,
					 "a bracket that closes nothing");
		if (depth > DEPTH_MAX)
			return set_fault(r, r->at, "nested deeper than 64");
		r->at++;
	}
	if (depth)
		return set_fault(r, start, "a bracket is never closed");
	return 0;
}

/* Skip the rest of a statement's line, which may only contain a comment. */
static int skip_line_end(struct toml_reader *r)
{
	skip_blanks(r);
	skip_comment(r);
	if (has_prefix(r, "\r\n"))
		r->at++;
	if (current_char(r) != '\n')
		return set_fault(r, r->at, "expected the end of the line");
	r->at += r->at < r->len;
	return 0;
}

/* Return true if KEY begins with the searched family and, with WHOLE, name. */
static bool is_searched(const struct toml_reader *r, const struct key *key,
			bool whole)
{
	return key->n > (size_t)whole && !strcmp(key->parts[0], r->family) &&
	       (!whole || !strcmp(key->parts[1], r->name));
}

static int read_header(struct toml_reader *r)
{
	const size_t start = r->at;
	const bool list = has_prefix(r, "[[");
	struct toml_table *t = r->found;

	r->at += list ? 2 : 1;
	if (read_key(r, &r->table) < 0)
		return -1;
	if (!has_prefix(r, list ? "]]" : "]"))
		return set_fault(r, r->at, "expected ]");
	r->at += list ? 2 : 1;
	r->inside = is_searched(r, &r->table, true);
	if (list && is_searched(r, &r->table, false) && r->table.n <= 2)
		return set_misfit(r, start, "not a list of tables");
	if (r->inside && r->table.n == 2 && r->begun)
		return set_misfit(r, start, "but it is there twice");
	r->begun = r->begun || (r->inside && r->table.n == 2);
	if (skip_line_end(r) < 0)
		return -1;
	if (r->inside) {
		*MEM_ADD(t->spans, t->nspans, r->spans_cap) =
			(struct toml_span){start, r->at};
	}
	return 0;
}

static void add_entry(struct toml_reader *r, const struct key *key,
		      struct toml_span span)
{
	struct toml_table *t = r->found;
	struct toml_span in = {span.start + 1, span.end - 1};
	const char c = r->p[span.start];
	struct toml_entry entry = {key->parts[0], span, NULL};

	if (span.end - span.start > 1 && (c == '"' || c == '\'') &&
	    r->p[span.start + 1] != c)
		entry.string = decode_string(r, &in);
	*MEM_ADD(t->entries, t->n, r->entries_cap) = entry;
}

static bool has_entry(const struct toml_reader *r, const struct key *key)
{
	return toml_entry(r->found, key->parts[0]);
}

static int read_entry(struct toml_reader *r)
{
	const size_t start = r->at;
	struct toml_span span;
	struct key key;

	if (read_key(r, &key) < 0)
		return -1;
	if (current_char(r) != '=')
		return set_fault(r, r->at, "expected =");
	r->at++;
	skip_blanks(r);
	span.start = r->at;
	if (skip_value(r) < 0)
		return -1;
	span.end = r->at;
	while (span.end > span.start && memchr(" \t\r", r->p[span.end - 1], 3))
		span.end--;
	if (span.end == span.start)
		return set_fault(r, span.start, "expected a value");
	if (!r->table.n && is_searched(r, &key, false))
		return set_misfit(r, start, "not a value");
	if (r->table.n == 1 && is_searched(r, &r->table, false) &&
	    !strcmp(key.parts[0], r->name))
		return set_misfit(r, start, "not a value");
	if (r->inside && r->table.n == 2 && key.n == 1 && has_entry(r, &key))
		return set_fault(r, start, "a key given twice");
	if (r->inside && r->table.n == 2 && key.n == 1)
		add_entry(r, &key, span);
	if (skip_line_end(r) < 0)
		return -1;
	if (r->inside)
		r->found->spans[r->found->nspans - 1].end = r->at;
	return 0;
}

static int read_all(struct toml_reader *r)
{
	if (has_prefix(r, "\xEF\xBB\xBF"))
		r->at = 3;
	for (;;) {
		while (r->at < r->len && memchr(" \t\r\n", current_char(r), 4))
			r->at++;
		if (r->at == r->len)
			return 0;
		if (current_char(r) == '#')
			skip_comment(r);
		else if ((current_char(r) == '[' ? read_header(r)
						 : read_entry(r)) < 0)
			return -1;
	}
}

int toml_find(struct toml_table *t, const struct buf *text, const char *family,
	      const char *name, struct arena *a, struct err *e)
{
	struct toml_reader r = {.p = buf_str(text),
				.len = text->len,
				.family = family,
				.name = name,
				.found = t,
				.a = a,
				.e = e};
	size_t bad = utf8_check(r.p, strnlen(r.p, r.len));
	struct toml_table kept;
	int result;

	*t = (struct toml_table){0};
	result = bad < r.len ? set_fault(&r, bad, "not UTF-8 text")
			     : read_all(&r);
	kept = *t;
	if (t->nspans)
		kept.spans =
			memcpy(arena_alloc(a, t->nspans * sizeof(*t->spans)),
			       t->spans, t->nspans * sizeof(*t->spans));
	if (t->n)
		kept.entries =
			memcpy(arena_alloc(a, t->n * sizeof(*t->entries)),
			       t->entries, t->n * sizeof(*t->entries));
	free(t->spans);
	free(t->entries);
	*t = kept;
	return result < 0 ? -1 : t->nspans > 0;
}

const struct toml_entry *toml_entry(const struct toml_table *t, const char *key)
{
	for (size_t i = 0; i < t->n; i++) {
		if (strcmp(t->entries[i].key, key) == 0)
			return &t->entries[i];
	}
	return NULL;
}

void toml_add(struct buf *text, const char *family, const char *name,
	      const char *body)
{
	const char *line = text->len ? memchr(text->p, '\n', text->len) : NULL;
	const bool crlf = line && line > text->p && line[-1] == '\r';
	struct buf new = {0};

	if (text->len && text->p[text->len - 1] != '\n')
		buf_addc(&new, '\n');
	if (text->len)
		buf_addc(&new, '\n');
	buf_addf(&new, "[%s.%s]\n%s", family, name, body);
	for (size_t i = 0; i < new.len; i++) {
		if (new.p[i] == '\n' && crlf)
			buf_addc(text, '\r');
		buf_addc(text, new.p[i]);
	}
	buf_release(&new);
}

void toml_drop(struct buf *text, const struct toml_table *t)
{
	struct buf out = {0};
	size_t from = 0;

	for (size_t i = 0; i < t->nspans; i++) {
		size_t start = t->spans[i].start;

		/* Remove the blanks and the blank line before the header,
		 * too. */
		while (start > from && (text->p[start - 1] == ' ' ||
					text->p[start - 1] == '\t'))
			start--;
		if (start > from && text->p[start - 1] == '\n') {
			size_t line = start - 1;

			line -= line > from && text->p[line - 1] == '\r';
			if (line == from || text->p[line - 1] == '\n')
				start = line;
		}
		buf_add(&out, text->p + from, start - from);
		from = t->spans[i].end;
	}
	buf_add(&out, text->p + from, text->len - from);
	buf_release(text);
	*text = out;
}

void toml_string(struct buf *out, const char *s)
{
	buf_addc(out, '"');
	for (; *s; s++) {
		const unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			buf_addf(out, "\\%c", c);
		else if (c < 0x20 || c == 0x7F)
			buf_addf(out, "\\u%04X", c);
		else
			buf_addc(out, (char)c);
	}
	buf_addc(out, '"');
}
