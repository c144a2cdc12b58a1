/* html.h: what begins and ends HTML in Markdown, by CommonMark's seven
 * conditions, 0 being none of them.
 */
#ifndef CO_TEXT_HTML_H
#define CO_TEXT_HTML_H

#include "base/base.h"

#define HTML_COMMENT 2
#define HTML_TILL_BLANK 6 /* it and those above it end with a blank line */

/* The condition by which the LEN bytes of P, a line from its first word on,
 * begin HTML; not every one may follow a line of TEXT. */
int html_start(const char *p, size_t len, bool text);

/* True if the line ends the HTML that KIND, below HTML_TILL_BLANK, began. */
bool html_ends(const char *p, size_t len, int kind);

#endif
