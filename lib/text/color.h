/* color.h: the parts of a text that are coloured, and their colours; and Markdown as
 * a person reads it.
 *
 * The text must be made safe first (sanitize.h), so that colours are its only
 * escape sequences. A NULL struct coloring means no colours.
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
	COLOR_HEADING,
	COLOR_QUESTION, /* to the user */
	COLOR_OLD,	/* removed and added text */
	COLOR_NEW
};

/* The bytes [start, end) of a text, and their colour. */
struct span {
	size_t start, end;
	enum color color;
};

/* Spans in the order of the text, not nested. A zeroed list is valid and empty;
 * free items with free(). */
struct spans {
	struct span *items;
	size_t n, cap;
};

/* How a text is coloured. */
struct coloring {
	/* Adds the spans of the search hits in LEN bytes at P; NULL if nothing
	 * was searched. */
	void (*find)(void *ctx, struct spans *out, const char *p, size_t len);
	void *ctx;
};

/* Colours without search hits. */
extern const struct coloring color_plain;

void color_span_add(struct spans *s, size_t start, size_t end,
		    enum color color);

/* Append LEN bytes of P in COLOR. */
void color_add(struct buf *out, const struct coloring *c, enum color color,
	       const char *p, size_t len);

/* Append LEN bytes of P with the search hits coloured. */
void color_add_found(struct buf *out, const struct coloring *c, const char *p,
		     size_t len);

/* Append the LEN bytes at P, Markdown, as a person reads it on a terminal: a heading
 * without its marks, and **text** without its asterisks, both bold if C is not NULL.
 * Code, comments and all else stay as they are. */
void color_markdown(struct buf *out, const struct coloring *c, const char *p,
		    size_t len);

#endif
