/* headline.h: the first lines of a Markdown text as one, for people. */
#ifndef CO_TEXT_HEADLINE_H
#define CO_TEXT_HEADLINE_H

#include "base/buf.h"

#define HEADLINE_SHORT 80 /* characters, in a message */

/* Append the first line of the LEN bytes of P, without the signs of a heading, and after
 * a heading or a colon at its end the next line too. If they have over MOST characters,
 * append as many, the last 3 of them dots. The text is not sanitized. */
void headline_add(struct buf *out, const char *p, size_t len, size_t most);

#endif
