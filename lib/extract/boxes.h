/* boxes.h: convert the words of a printed document, each with its bounding box,
 * to text.  The input is the output of `pdftotext -bbox -raw`, in printing
 * order.
 *
 * Lines, paragraphs, lists and headings are derived from the boxes.
 */
#ifndef CO_EXTRACT_BOXES_H
#define CO_EXTRACT_BOXES_H

#include "base/buf.h"

/* Return true if the LEN bytes of P are such words.  P must be terminated by a
 * NUL, here and below. */
bool boxes_are(const char *p, size_t len);

/* Return true if some words are in a script written from right to left.  Their
 * letters are in the order from left to right. */
bool boxes_are_reversed(const char *p, size_t len);

/* Append the words to OUT as Markdown, with a form feed after each page.
 * Printed text is escaped where it would become markup.  Cannot fail. */
void boxes_add(struct buf *out, const char *p, size_t len);

#endif
