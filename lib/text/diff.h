/* diff.h: what changed between two texts, as people read it. */
#ifndef CO_TEXT_DIFF_H
#define CO_TEXT_DIFF_H

#include "text/color.h"

/* Append how WAS became NOW, line by line, in the unified form of diff -u,
 * without the two lines that name files; nothing where they are equal. */
void diff_lines(struct buf *out, const struct buf *was, const struct buf *now);

/* For each line of NOW, in KEPT, which has room for diff_count() of it, which line
 * of WAS it is, from 0; SIZE_MAX: it is new. */
size_t diff_count(const struct buf *text);
void diff_keep(size_t *kept, const struct buf *was, const struct buf *now);

/* Append NOW, and in it, word by word, what of WAS is gone and what came: as
 * COLOR_OLD and COLOR_NEW by C, else [-as this-] and {+as this+}.  Of a script
 * without blanks each letter is a word. */
void diff_words(struct buf *out, const struct buf *was, const struct buf *now,
		const struct coloring *c);

#endif
