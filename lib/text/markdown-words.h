/* markdown-words.h: extract the words of a Markdown text, for counting them. */
#ifndef CO_TEXT_MARKDOWN_WORDS_H
#define CO_TEXT_MARKDOWN_WORDS_H

#include "base/buf.h"

/* Append P, with links replaced by their text, without images, and without the
 * fences of fenced code. Everything else is unchanged, including markup. Cannot
 * fail. */
void markdown_words(struct buf *out, const char *p, size_t len);

#endif
