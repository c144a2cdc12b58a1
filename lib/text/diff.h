/* diff.h: the differences between two texts. */
#ifndef CO_TEXT_DIFF_H
#define CO_TEXT_DIFF_H

#include "text/color.h"

/* Append the differences from WAS to NOW by lines, in the format of diff -u
 * without the two lines with file names. Appends nothing if the texts are
 * equal. */
void diff_lines(struct buf *out, const struct buf *was, const struct buf *now);

/* diff_keep() sets KEPT[i] to the number of the line of WAS, from 0, that is
 * line i of NOW; SIZE_MAX if that line is new. KEPT has room for
 * diff_count(NOW) items: the number of lines of NOW. */
size_t diff_count(const struct buf *text);
void diff_keep(size_t *kept, const struct buf *was, const struct buf *now);

/* Append NOW with its differences from WAS marked word by word: coloured
 * COLOR_OLD and COLOR_NEW if C is not NULL, else as [-removed-] and {+added+}.
 * In scripts without blanks each character is a word. */
void diff_words(struct buf *out, const struct buf *was, const struct buf *now,
		const struct coloring *c);

#endif
