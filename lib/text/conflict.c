/* conflict.c: a pass over the lines; a marker out of its order, or one that
 * lacks its others, and the text is none of git's.
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

/* Append our side of TEXT; the line of the first marker, 0 where there is none,
 * or not all are whole. */
static size_t take_ours(struct buf *out, const char *text, size_t len)
{
	enum side side = BOTH;
	size_t line = 0, first = 0, n;

	for (size_t i = 0; i < len; i += n) {
		const char *p = text + i, *end = memchr(p, '\n', len - i);
		char c;

		n = end ? (size_t)(end - p) + 1 : len - i;
		c = marker_of(p, n);
		line++;
		/* A line of = may stand anywhere: it underlines a heading. */
		if (c == '=' && (side == BOTH || side == THEIRS))
			c = '\0';
		if (c && !move(&side, c))
			return 0;
		if (c && !first)
			first = line;
		if (!c && (side == BOTH || side == OURS))
			buf_add(out, p, n);
	}
	return side == BOTH ? first : 0;
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
