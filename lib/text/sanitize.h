/* sanitize.h: make text safe for a terminal or a prompt.
 *
 * Files may be hostile. Text for a terminal must not move the cursor, set the
 * clipboard or hide anything. Text for a prompt must not close or fake the tag
 * that wraps it, nor contain characters that a model sees and a reader does
 * not. Honest text of every script stays unchanged: ZWJ and ZWNJ after a letter
 * of another script or an emoji, variation selectors after the characters that
 * have variants, right-to-left text without explicit controls, and tabs.
 */
#ifndef CO_TEXT_SANITIZE_H
#define CO_TEXT_SANITIZE_H

#include "base/buf.h"

/* The tag that wraps knowledge in a prompt. */
#define SANITIZE_WRAPPER "system-reminder"

/* Append P for a terminal. Controls, except \t and with LINES \n, become ^[ or
 * <U+009B>, hidden characters <U+200B>, bytes that are not UTF-8 <E9>. */
void sanitize_terminal(struct buf *out, const char *p, size_t len, bool lines);

/* Append P for a prompt: as sanitize_terminal() with LINES, CRLF as \n, and
 * with &lt; for the `<` of anything that reads as a tag of the wrapper, in any
 * letter form. */
void sanitize_prompt(struct buf *out, const char *p, size_t len);

/* Like sanitize_prompt(), for a wrapper named TAG, of lower-case letters and
 * dashes. */
void sanitize_tagged(struct buf *out, const char *p, size_t len,
		     const char *tag);

/* Append P as sanitize_prompt() does, on one line: blanks at both ends are
 * removed, and each line end becomes a visible sign. */
void sanitize_line(struct buf *out, const char *p, size_t len);

/* Return the offset of the first hidden character or control of P, LEN if there
 * is none. *C, unless NULL, gets the character. */
size_t sanitize_find_hidden(const char *p, size_t len, uint32_t *c);

/* Return true if P is UTF-8 on one line without hidden characters. */
bool sanitize_is_line(const char *p, size_t len);

#endif
