/* conflict.c: a pass over the lines; a marker out of its order, or one that
 * lacks its others, and the text is none of git's.  Where theirs alone says that
 * a memory is sensitive, that line comes along: of two answers the careful one.
 *
 * Known limit: an example of markers that begins at the margin reads as a
 * conflict.
 */
#include "text/conflict.h"

#include "base/buf.h"

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

static const char sensitive[] = "\nsensitive:";

/* Where the header of TEXT ends, in bytes, 0 where it has none: at its second line
 * of three dashes. */
static size_t header_end(const struct buf *text)
{
	const char *p = buf_str(text), *end = NULL;

	if (strncmp(p, "---", 3) == 0)
		end = strstr(p + 3, "\n---");
	return end ? (size_t)(end - p) + 1 : 0;
}

/* Put theirs, a line which says that the memory is sensitive, AT its place in the
 * header of OUT, unless ours says something of that. */
static void keep_sensitive(struct buf *out, size_t at, const struct buf *theirs)
{
	const size_t header = header_end(out);
	struct buf with = {0};

	if (!theirs->len || !header || at > header ||
	    memmem(out->p, header, sensitive, sizeof(sensitive) - 1))
		return;
	buf_add(&with, out->p, at);
	buf_add(&with, theirs->p, theirs->len);
	buf_add(&with, out->p + at, out->len - at);
	buf_release(out);
	*out = with;
}

/* Append our side of TEXT; the line of the first marker, 0 where there is none,
 * or not all are whole. */
static size_t take_ours(struct buf *out, const char *text, size_t len)
{
	const size_t word = sizeof(sensitive) - 2;
	enum side side = BOTH;
	bool whole = true;
	size_t line = 0, first = 0, at = 0, n;
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
		if (!c && (side == BOTH || side == OURS))
			buf_add(out, p, n);
		if (side != THEIRS || theirs.len || n < word ||
		    memcmp(p, sensitive + 1, word) != 0)
			continue;
		at = out->len;
		buf_add(&theirs, p, n);
	}
	keep_sensitive(out, at, &theirs);
	buf_release(&theirs);
	return whole && side == BOTH ? first : 0;
}

const char *conflict_ours(const char *text, size_t *len, struct arena *a,
			  size_t *line)
{
	static const char mark[] = "<<<<<<< ";
	struct buf ours = {0};

	*line = 0;
	if (!memmem(text, *len, mark, sizeof(mark) - 1))
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
