/* injected.h: the marks around text that co itself puts into a prompt.
 *
 * Agents keep their prompts in transcripts, and memories are made of
 * transcripts: what stands between the marks was known before, and is never
 * taken for something that was said.
 */
#ifndef CO_TEXT_INJECTED_H
#define CO_TEXT_INJECTED_H

#include "base/buf.h"

#define INJECTED_WORD "co:context v1" /* agents may escape the rest */
#define INJECTED_OPEN "<!-- " INJECTED_WORD " -->\n"
#define INJECTED_CLOSE "<!-- /co:context -->\n"

/* Append P with other words in place of what would read as one of the marks, so
 * that no text can end its marks early, whatever agents escape on the way.  It
 * becomes no longer by that. */
void injected_escape(struct buf *out, const char *p, size_t len);

/* Append P between the marks, escaped, each mark on a line of its own. */
void injected_add(struct buf *out, const char *p, size_t len);

/* Append P without what stands between our marks, or those that agents put
 * around what they add to a prompt themselves. */
void injected_strip(struct buf *out, const char *p, size_t len);

#endif
