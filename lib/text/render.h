/* render.h: Markdown as a person reads it on a terminal. */
#ifndef CO_TEXT_RENDER_H
#define CO_TEXT_RENDER_H

#include "text/color.h"

/* Append the LEN bytes at P, Markdown that is safe for a terminal and may have
 * colours: a heading without its marks, and **text** without its asterisks, both bold
 * if C is not NULL. Code, comments and all else stay as they are. */
void render_markdown(struct buf *out, const struct coloring *c, const char *p,
		     size_t len);

#endif
