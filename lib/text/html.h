/* html.h: start and end of HTML blocks in Markdown, by the seven conditions of
 * CommonMark. 0 means none. */
#ifndef CO_TEXT_HTML_H
#define CO_TEXT_HTML_H

#include "base/base.h"

#define HTML_COMMENT 2
#define HTML_TILL_BLANK 6 /* from this one on, a blank line ends the block */

/* Return the number of the condition under which a line starts an HTML block, or 0. P of
 * LEN bytes is the line from its first character that is not blank. TEXT: the line
 * follows paragraph text; then condition 7 does not apply. */
int html_start(const char *p, size_t len, bool text);

/* Return true if the line ends an HTML block of condition KIND, which is below
 * HTML_TILL_BLANK. */
bool html_ends(const char *p, size_t len, int kind);

#endif
