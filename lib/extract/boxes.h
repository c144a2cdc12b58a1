/* boxes.h: the words of a printed document, each with the box that it fills, as
 * `pdftotext -bbox -raw` gives them, in the order in which they were printed.
 *
 * From the boxes come lines, paragraphs, lists and headings.
 */
#ifndef CO_EXTRACT_BOXES_H
#define CO_EXTRACT_BOXES_H

#include "base/buf.h"

/* True if the LEN bytes of P are such words.  All of them are ended by a NUL. */
bool boxes_are(const char *p, size_t len);

/* True if some of these words are of a script that is written from right to left:
 * their letters stand from left to right. */
bool boxes_are_reversed(const char *p, size_t len);

/* Append their text to OUT as Markdown, each page ended by a form feed; of nothing
 * else in it does Markdown mean anything but what was printed.  Cannot fail. */
void boxes_add(struct buf *out, const char *p, size_t len);

#endif
