/* markdown-words.h: what of a Markdown text is words, for counting them. */
#ifndef CO_TEXT_MARKDOWN_WORDS_H
#define CO_TEXT_MARKDOWN_WORDS_H

#include "base/buf.h"

/* Append P: of a link its text, of an image nothing, and of fenced code what
 * stands between its fences.  The rest is as it was, marks and all.  Cannot
 * fail. */
void markdown_words(struct buf *out, const char *p, size_t len);

#endif
