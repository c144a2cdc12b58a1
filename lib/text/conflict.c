/* conflict.c: one pass over the lines. A marker at a wrong place, or an
 * incomplete set of markers, means that the text has no conflict. If the header
 * of their side restricts visibility or lifetime more than ours, its lines
 * replace ours.
 *
 * Known limit: an example of markers that begins at column 1 is read as a
 * conflict.
 */
#include "text/conflict.h"

#include "base/ascii.h"
#include "base/instant.h"

#define MARK 7 /* characters in a marker */

enum side { BOTH, OURS, BASE, THEIRS };

/* Return the marker character of the line P, or '\0' if it is not a marker. */
static char marker_char(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && n <= MARK && p[n] == *p)
		n++;
	if (n != MARK || !memchr("<|=>", *p, 4))
		return '\0';
	/* A label follows the markers < and >. */
	if (n == len || p[n] == '\n' || p[n] == '\r')
		return *p == '=' || *p == '|' ? *p : '\0';
	return *p != '=' && p[n] == ' ' ? *p : '\0';
}

/* Set *SIDE to the part that follows the marker C. Returns false if C is at a
 * wrong place. */
static bool enter_side(enum side *side, char c)
{
	const enum side was = *side;

	switch (c) {
	case '<':
		*side = OURS;
		return was == BOTH;
	case '|':
		*side = BASE;
		return was == OURS;
	case '=':
		*side = THEIRS;
		return was == OURS || was == BASE;
	default:
		*side = BOTH;
		return was == THEIRS;
	}
}

/* The value of a key, without surrounding blanks and comment. */
struct entry_value {
	const char *p;
	size_t len;
};

static bool equals_any(struct entry_value v, const char *words)
{
	for (const char *p = words; *p; p += strlen(p) + 1) {
		if (strlen(p) == v.len && !memcmp(p, v.p, v.len))
			return true;
	}
	return false;
}

static struct entry_value strip_quotes(struct entry_value v)
{
	if (v.len >= 2 && (*v.p == '"' || *v.p == '\'') &&
	    v.p[v.len - 1] == *v.p)
		return (struct entry_value){v.p + 1, v.len - 2};
	return v;
}

/* The rank of a value, read as repo/marks.h does: the higher is the
 * stricter. */
static int64_t sensitive_rank(struct entry_value v)
{
	return v.len &&
	       !equals_any(v, "false\0False\0FALSE\0~\0null\0Null\0NULL\0");
}

static int64_t archive_rank(struct entry_value v)
{
	return equals_any(v, "true\0True\0TRUE\0");
}

static int64_t trust_rank(struct entry_value v)
{
	if (!v.len || equals_any(v, "~\0null\0Null\0NULL\0"))
		return 0;
	v = strip_quotes(v);
	return equals_any(v, "user\0") ? 0 : equals_any(v, "agent\0") ? 1 : 2;
}

static int64_t expires_rank(struct entry_value v)
{
	struct instant end;

	v = strip_quotes(v);
	if (!instant_parse_day(v.p, v.len, &end))
		return INT64_MIN;
	/* A day ends at midnight. */
	return -(end.sec + (v.len == strlen("2026-02-09") ? 86400 : 0));
}

static const struct strict_key {
	const char *key;
	int64_t (*rank)(struct entry_value v);
} strict_keys[] = {
	{"sensitive", sensitive_rank},
	{"archive", archive_rank},
	{"trust", trust_rank},
	{"expires", expires_rank},
};

/* Return the offset after "KEY:" in LINE, where KEY may be quoted; 0 if LINE
 * has another key. */
static size_t value_offset(const char *line, size_t len, const char *key)
{
	const size_t n = strlen(key);
	const bool quoted = len && (*line == '"' || *line == '\'');
	size_t at = quoted + n;

	if (len < at + quoted || memcmp(line + quoted, key, n) != 0 ||
	    (quoted && line[at++] != *line))
		return 0;
	while (at < len && ascii_is_blank(line[at]))
		at++;
	return at < len && line[at] == ':' ? at + 1 : 0;
}

/* Return the length of the line at P and the indented lines that follow it,
 * which may contain the value. */
static size_t entry_len(const char *p, const char *end)
{
	const char *at = p;

	do {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		at = stop ? stop + 1 : end;
	} while (at < end && ascii_is_blank(*at));
	return (size_t)(at - p);
}

/* Return the value in ENTRY of LEN bytes, which begins at AT. */
static struct entry_value value_in(const char *entry, size_t len, size_t at)
{
	struct entry_value v = {entry + at, len - at};

	while (v.len && strchr(" \t\r\n", *v.p))
		v = (struct entry_value){v.p + 1, v.len - 1};
	for (size_t i = 0; i < v.len; i++) {
		if (v.p[i] == '#' && (!i || ascii_is_blank(v.p[i - 1])))
			v.len = i;
	}
	while (v.len && strchr(" \t\r\n", v.p[v.len - 1]))
		v.len--;
	return v;
}

static size_t bom_len(const char *p, size_t len)
{
	return len >= 3 && !memcmp(p, "\xef\xbb\xbf", 3) ? 3 : 0;
}

/* Return true if the line is three dashes, the first or last line of a
 * header. */
static bool is_dashes(const char *p, size_t len)
{
	return len > 3 && !memcmp(p, "---", 3);
}

/* Return the offset of the line of dashes that ends the header of TEXT, or
 * 0. */
static size_t header_end(const struct buf *text)
{
	const char *p = buf_str(text), *end = NULL;
	const size_t bom = bom_len(p, text->len);

	if (is_dashes(p + bom, text->len - bom))
		end = strstr(p + bom + 3, "\n---");
	return end ? (size_t)(end - p) + 1 : 0;
}

/* Put THEIRS, an entry with the key C, into the header of OUT, replacing ours,
 * unless our value is at least as strict. */
static void use_stricter(struct buf *out, const struct strict_key *c,
			 const char *theirs, size_t len,
			 struct entry_value value)
{
	const size_t header = header_end(out);
	const char *end = out->p + header;
	size_t at = 0, n = 0, value_at = 0;
	struct buf with = {0};

	if (!header)
		return;
	while (at < header &&
	       !(value_at = value_offset(out->p + at, header - at, c->key)))
		at += entry_len(out->p + at, end);
	if (at < header) {
		n = entry_len(out->p + at, end);
		if (c->rank(value) <=
		    c->rank(value_in(out->p + at, n, value_at)))
			return;
	}
	buf_add(&with, out->p, at);
	buf_add(&with, theirs, len);
	buf_add(&with, out->p + at + n, out->len - at - n);
	buf_release(out);
	*out = with;
}

/* Put the stricter lines of THEIRS, the header of their side, into OUT. */
static void use_stricter_lines(struct buf *out, const struct buf *theirs)
{
	const char *p = buf_str(theirs), *end = p + theirs->len;

	for (size_t n; p < end; p += n) {
		n = entry_len(p, end);
		for (size_t k = 0; k < ARRAY_LEN(strict_keys); k++) {
			const size_t at =
				value_offset(p, n, strict_keys[k].key);

			if (at)
				use_stricter(out, &strict_keys[k], p, n,
					     value_in(p, n, at));
		}
	}
}

/* A line of a text, read by next_line(). */
struct line {
	const char *p;
	size_t len; /* includes the newline */
	char mark;  /* of a marker; '\0': text of SIDE */
	enum side side;
};

/* Move L to the next line. Returns 1; 0 if there is none before END; or -1 if a
 * marker is at a wrong place. */
static int next_line(struct line *l, const char *end)
{
	const char *stop;

	l->p += l->len;
	if (l->p == end)
		return 0;
	stop = memchr(l->p, '\n', (size_t)(end - l->p));
	l->len = (size_t)((stop ? stop + 1 : end) - l->p);
	l->mark = marker_char(l->p, l->len);
	/* A line of = may also underline a heading. */
	if (l->mark == '=' && (l->side == BOTH || l->side == THEIRS))
		l->mark = '\0';
	return l->mark && !enter_side(&l->side, l->mark) ? -1 : 1;
}

/* Append our side of TEXT to OUT. Returns the line of the first marker, or 0 if
 * there is none or the markers are incomplete. */
static size_t append_ours(struct buf *out, const char *text, size_t len)
{
	struct line l = {.p = text, .side = BOTH};
	size_t line = 0, first = 0;
	size_t lines = 0, dashes = 0; /* of their side */
	struct buf theirs = {0};
	int r;

	while ((r = next_line(&l, text + len)) > 0) {
		line++;
		if (l.mark && !first)
			first = line;
		if (l.mark)
			continue;
		if (l.side == THEIRS && dashes == 1 && l.p[l.len - 1] == '\n')
			buf_add(&theirs, l.p, l.len);
		if (l.side == BOTH || l.side == THEIRS) {
			const size_t bom = lines ? 0 : bom_len(l.p, l.len);

			dashes += is_dashes(l.p + bom, l.len - bom) &&
				  (dashes || !lines);
			lines++;
		}
		if (l.side == BOTH || l.side == OURS)
			buf_add(out, l.p, l.len);
	}
	use_stricter_lines(out, &theirs);
	buf_release(&theirs);
	return r == 0 && l.side == BOTH ? first : 0;
}

int conflict_sides(const char *text, size_t len, struct buf *ours,
		   struct buf *theirs)
{
	struct line l = {.p = text, .side = BOTH};
	bool any = false;
	int r;

	while ((r = next_line(&l, text + len)) > 0) {
		any |= l.mark != '\0';
		if (!l.mark && (l.side == BOTH || l.side == OURS))
			buf_add(ours, l.p, l.len);
		if (!l.mark && (l.side == BOTH || l.side == THEIRS))
			buf_add(theirs, l.p, l.len);
	}
	return r == 0 && l.side == BOTH ? any : -1;
}

/* Faster than memmem(), since most texts contain no '<'. */
static bool has_mark(const char *text, size_t len)
{
	static const char mark[] = "<<<<<<< ";
	const char *const end = text + len;
	const char *p = text;

	while ((p = memchr(p, '<', (size_t)(end - p)))) {
		if ((size_t)(end - p) >= sizeof(mark) - 1 &&
		    !memcmp(p, mark, sizeof(mark) - 1))
			return true;
		p++;
	}
	return false;
}

const char *conflict_ours(const char *text, size_t *len, struct arena *a,
			  size_t *line)
{
	struct buf ours = {0};

	*line = 0;
	if (!has_mark(text, *len))
		return text;
	*line = append_ours(&ours, text, *len);
	if (*line) {
		*len = ours.len;
		text = arena_copy(a, buf_str(&ours), ours.len);
	}
	buf_release(&ours);
	return text;
}

int conflict_err(struct err *e, const char *path, size_t line,
		 const char *option)
{
	return err_set(
		e, ERR_DATA,
		"'%s':%zu:1: an unresolved merge: our side is used; run 'co "
		"resolve%s'",
		path, line, option);
}
