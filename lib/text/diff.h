/* diff.h: what changed between two texts, as people read it. */
#ifndef CO_TEXT_DIFF_H
#define CO_TEXT_DIFF_H

#include "text/color.h"

/* Append how WAS became NOW, line by line, in the unified form of diff -u,
 * without the two lines that name files; nothing where they are equal. */
void diff_lines(struct buf *out, const struct buf *was, const struct buf *now);

#endif
