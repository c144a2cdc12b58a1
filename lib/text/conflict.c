/* conflict.c: a pass over the lines; a marker out of its order, or one that
 * lacks its others, and the text is none of git's.  Where theirs says of a memory
 * that fewer may be shown it, or not as long, that line comes along: of two answers
 * the careful one.
 *
 * Known limit: an example of markers that begins at the margin reads as a
 * conflict.
 */
#include "text/conflict.h"

#include "base/ascii.h"
#include "base/instant.h"

#define MARK 7 /* characters of a marker */

enum side { BOTH, OURS, BASE, THEIRS };

/* The character that the line P is a marker of, '\0' for none. */
static char marker_of(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && n <= MARK && p[n] == *p)
		n++;
	if (n != MARK || !memchr("<|=>", *p, 4))
		return '\0';
	/* Behind the others stands what they mark. */
	if (n == len || p[n] == '\n' || p[n] == '\r')
		return *p == '=' || *p == '|' ? *p : '\0';
	return *p != '=' && p[n] == ' ' ? *p : '\0';
}

/* Move *SIDE over the marker C; false where that cannot stand there. */
static bool move(enum side *side, char c)
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

/* What a line says behind its key, without blanks and a comment. */
struct said {
	const char *p;
	size_t len;
};

static bool says(struct said v, const char *words)
{
	for (const char *p = words; *p; p += strlen(p) + 1) {
		if (strlen(p) == v.len && !memcmp(p, v.p, v.len))
			return true;
	}
	return false;
}

static struct said unquoted(struct said v)
{
	if (v.len >= 2 && (*v.p == '"' || *v.p == '\'') &&
	    v.p[v.len - 1] == *v.p)
		return (struct said){v.p + 1, v.len - 2};
	return v;
}

/* As marks.h reads these keys: the higher is the more careful. */
static int64_t sensitive_rank(struct said v)
{
	return v.len && !says(v, "false\0False\0FALSE\0~\0null\0Null\0NULL\0");
}

static int64_t archive_rank(struct said v)
{
	return says(v, "true\0True\0TRUE\0");
}

static int64_t trust_rank(struct said v)
{
	if (!v.len || says(v, "~\0null\0Null\0NULL\0"))
		return 0;
	v = unquoted(v);
	return says(v, "user\0") ? 0 : says(v, "agent\0") ? 1 : 2;
}

static int64_t expires_rank(struct said v)
{
	struct instant end;

	v = unquoted(v);
	if (!instant_parse_day(v.p, v.len, &end))
		return INT64_MIN;
	/* A day counts to its end. */
	return -(end.sec + (v.len == strlen("2026-02-09") ? 86400 : 0));
}

static const struct careful {
	const char *key;
	int64_t (*rank)(struct said v);
} careful[] = {
	{"sensitive", sensitive_rank},
	{"archive", archive_rank},
	{"trust", trust_rank},
	{"expires", expires_rank},
};

/* Where what LINE says begins, behind KEY, which may have quotes; 0: it has another
 * key. */
static size_t behind_key(const char *line, size_t len, const char *key)
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

/* The bytes of the line at P, with those behind it that are indented: what it says
 * may stand there. */
static size_t entry_len(const char *p, const char *end)
{
	const char *at = p;

	do {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		at = stop ? stop + 1 : end;
	} while (at < end && ascii_is_blank(*at));
	return (size_t)(at - p);
}

/* What stands in the LEN bytes of ENTRY from AT on. */
static struct said said_in(const char *entry, size_t len, size_t at)
{
	struct said v = {entry + at, len - at};

	while (v.len && strchr(" \t\r\n", *v.p))
		v = (struct said){v.p + 1, v.len - 1};
	for (size_t i = 0; i < v.len; i++) {
		if (v.p[i] == '#' && (!i || ascii_is_blank(v.p[i - 1])))
			v.len = i;
	}
	while (v.len && strchr(" \t\r\n", v.p[v.len - 1]))
		v.len--;
	return v;
}

/* The bytes of a mark of the order of bytes at P. */
static size_t bom_len(const char *p, size_t len)
{
	return len >= 3 && !memcmp(p, "\xef\xbb\xbf", 3) ? 3 : 0;
}

/* True for a line of three dashes, which begins and ends a header. */
static bool is_dashes(const char *p, size_t len)
{
	return len > 3 && !memcmp(p, "---", 3);
}

/* Where the header of TEXT ends, in bytes, 0 where it has none: at its second line
 * of three dashes. */
static size_t header_end(const struct buf *text)
{
	const char *p = buf_str(text), *end = NULL;
	const size_t bom = bom_len(p, text->len);

	if (is_dashes(p + bom, text->len - bom))
		end = strstr(p + bom + 3, "\n---");
	return end ? (size_t)(end - p) + 1 : 0;
}

/* Put THEIRS, an entry with the key of C behind which it says SAID, into the header
 * of OUT, unless ours says what is as careful. */
static void keep_careful(struct buf *out, const struct careful *c,
			 const char *theirs, size_t len, struct said said)
{
	const size_t header = header_end(out);
	const char *end = out->p + header;
	size_t at = 0, n = 0, behind = 0;
	struct buf with = {0};

	if (!header)
		return;
	while (at < header &&
	       !(behind = behind_key(out->p + at, header - at, c->key)))
		at += entry_len(out->p + at, end);
	if (at < header) {
		n = entry_len(out->p + at, end);
		if (c->rank(said) <= c->rank(said_in(out->p + at, n, behind)))
			return;
	}
	buf_add(&with, out->p, at);
	buf_add(&with, theirs, len);
	buf_add(&with, out->p + at + n, out->len - at - n);
	buf_release(out);
	*out = with;
}

/* Keep of THEIRS, lines of its header, those that are careful. */
static void keep_all_careful(struct buf *out, const struct buf *theirs)
{
	const char *p = buf_str(theirs), *end = p + theirs->len;

	for (size_t n; p < end; p += n) {
		n = entry_len(p, end);
		for (size_t k = 0; k < ARRAY_LEN(careful); k++) {
			const size_t at = behind_key(p, n, careful[k].key);

			if (at)
				keep_careful(out, &careful[k], p, n,
					     said_in(p, n, at));
		}
	}
}

/* Append our side of TEXT; the line of the first marker, 0 where there is none,
 * or not all are whole. */
static size_t take_ours(struct buf *out, const char *text, size_t len)
{
	enum side side = BOTH;
	bool whole = true;
	size_t line = 0, first = 0, n;
	size_t lines = 0, dashes = 0; /* of theirs; its header has two */
	struct buf theirs = {0};

	for (size_t i = 0; i < len && whole; i += n) {
		const char *p = text + i, *end = memchr(p, '\n', len - i);
		char c;

		n = end ? (size_t)(end - p) + 1 : len - i;
		c = marker_of(p, n);
		line++;
		/* A line of = may stand anywhere: it underlines a heading. */
		if (c == '=' && (side == BOTH || side == THEIRS))
			c = '\0';
		whole = !c || move(&side, c);
		if (c && !first)
			first = line;
		if (!c && side == THEIRS && dashes == 1 && end)
			buf_add(&theirs, p, n);
		if (!c && (side == BOTH || side == THEIRS)) {
			const size_t bom = lines ? 0 : bom_len(p, n);

			dashes += is_dashes(p + bom, n - bom) &&
				  (dashes || !lines);
			lines++;
		}
		if (!c && (side == BOTH || side == OURS))
			buf_add(out, p, n);
	}
	keep_all_careful(out, &theirs);
	buf_release(&theirs);
	return whole && side == BOTH ? first : 0;
}

int conflict_sides(const char *text, size_t len, struct buf *ours,
		   struct buf *theirs)
{
	enum side side = BOTH;
	bool any = false;

	for (size_t i = 0, n; i < len; i += n) {
		const char *p = text + i, *end = memchr(p, '\n', len - i);
		char c;

		n = end ? (size_t)(end - p) + 1 : len - i;
		c = marker_of(p, n);
		if (c == '=' && (side == BOTH || side == THEIRS))
			c = '\0';
		if (c && !move(&side, c))
			return -1;
		any = any || c;
		if (!c && (side == BOTH || side == OURS))
			buf_add(ours, p, n);
		if (!c && (side == BOTH || side == THEIRS))
			buf_add(theirs, p, n);
	}
	return side == BOTH ? any : -1;
}

/* Most texts hold no '<': so this is faster than memmem(). */
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
	*line = take_ours(&ours, text, *len);
	if (*line) {
		*len = ours.len;
		text = arena_copy(a, buf_str(&ours), ours.len);
	}
	buf_release(&ours);
	return text;
}

int conflict_err(struct err *e, const char *path, size_t line)
{
	return err_set(e, ERR_DATA,
		       "'%s':%zu:1: an unresolved merge: ours is shown", path,
		       line);
}
