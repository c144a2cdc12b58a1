/* sanitize.h: making text safe for a terminal or a prompt.
 *
 * Files may be hostile.  Bound for a terminal, text must not move the cursor,
 * set the clipboard or hide; bound for a prompt, it must not close or fake the
 * tag that wraps it, nor carry characters that a reader cannot see and a model
 * can.  Honest text of every script goes through unharmed: ZWJ and ZWNJ after
 * a foreign letter or an emoji, variation selectors behind what they select,
 * right-to-left text without explicit controls, tabs.
 */
#ifndef CO_TEXT_SANITIZE_H
#define CO_TEXT_SANITIZE_H

#include "base/buf.h"

/* The tag that wraps knowledge in a prompt. */
#define SANITIZE_WRAPPER "system-reminder"

/* Append P as it may go to a terminal: controls (but \t and, with LINES, \n)
 * as ^[ or <U+009B>, hidden characters as <U+200B>, bytes that are no UTF-8
 * as <E9>. */
void sanitize_terminal(struct buf *out, const char *p, size_t len, bool lines);

/* Append P as it may stand in a prompt: as above, CRLF as \n, and the `<` of
 * whatever would read as a tag of the wrapper's name, in any folding, as
 * &lt;. */
void sanitize_prompt(struct buf *out, const char *p, size_t len);

/* The same where TAG, of lower-case letters and dashes, is the wrapper's name. */
void sanitize_tagged(struct buf *out, const char *p, size_t len,
		     const char *tag);

/* sanitize_prompt() on one line: a sign for each end of a line, no blanks
 * around it. */
void sanitize_line(struct buf *out, const char *p, size_t len);

/* The offset of the first character of P that is hidden (see sanitize_terminal,
 * controls included), LEN when there is none; *C, unless NULL, gets it. */
size_t sanitize_find_hidden(const char *p, size_t len, uint32_t *c);

/* True if P is UTF-8 on one line that hides nothing. */
bool sanitize_is_line(const char *p, size_t len);

#endif
