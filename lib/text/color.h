/* color.h: what is coloured where people read, and by which colours.
 *
 * The text is made safe first (see sanitize.h): colours are the only escapes
 * that it holds then.
 */
#ifndef CO_TEXT_COLOR_H
#define CO_TEXT_COLOR_H

#include "base/buf.h"

enum color {
	COLOR_ID,
	COLOR_DATE,
	COLOR_TAG,
	COLOR_PATH,
	COLOR_MATCH,
	COLOR_QUESTION, /* that a person is asked */
	COLOR_OLD,	/* what goes, and what comes */
	COLOR_NEW
};

/* Bytes of a text, [start, end), and what they are. */
struct span {
	size_t start, end;
	enum color color;
};

/* In the order of the text, none inside of another.  Zeroed, release items
 * with free(). */
struct spans {
	struct span *items;
	size_t n, cap;
};

/* How a text is coloured; where one is taken, NULL means not at all. */
struct coloring {
	/* Add where in the LEN bytes of P what was searched for stands; NULL:
	 * nothing was. */
	void (*find)(void *ctx, struct spans *out, const char *p, size_t len);
	void *ctx;
};

void color_span_add(struct spans *s, size_t start, size_t end,
		    enum color color);

/* Append the LEN bytes of P as COLOR. */
void color_add(struct buf *out, const struct coloring *c, enum color color,
	       const char *p, size_t len);

/* Append the LEN bytes of P, its SPANS coloured. */
void color_add_spans(struct buf *out, const struct coloring *c, const char *p,
		     size_t len, const struct spans *spans);

/* Append the LEN bytes of P, with what was searched for marked. */
void color_add_found(struct buf *out, const struct coloring *c, const char *p,
		     size_t len);

#endif
