/* printed.h: join the pages of a printed document, from a helper for PDF or
 * images, into one text.
 *
 * Headers, footers and page numbers, which are on most pages, are removed.
 * Those without a page number are kept once, at the top of the first page or
 * the bottom of the last. Paragraphs continue across pages, and words
 * hyphenated at a line end are joined.
 */
#ifndef CO_EXTRACT_PRINTED_H
#define CO_EXTRACT_PRINTED_H

#include "base/buf.h"

/* Append the LEN bytes of P, UTF-8 text with a form feed after each page.
 * Cannot fail. */
void printed_add(struct buf *out, const char *p, size_t len);

/* Return true if the sentence at the end of the LEN bytes of P continues in the
 * N bytes of NEXT. */
bool printed_continues(const char *p, size_t len, const char *next, size_t n);

/* Return true if C is a letter: ASCII, or a byte of a character beyond ASCII.
 * printed_is_lower() excludes the capital letters of ASCII. */
bool printed_is_letter(char c);
bool printed_is_lower(char c);

/* A helper may print the words of a document each with its bounding box, in printing
 * order, as `pdftotext -bbox -raw` does. Lines, paragraphs, lists and headings are
 * derived from the boxes. */

/* Return true if the LEN bytes of P are such words. P must be terminated by a
 * NUL, here and below. */
bool printed_are_boxes(const char *p, size_t len);

/* Return true if some words are in a script written from right to left. Their
 * letters are in the order from left to right. */
bool printed_boxes_are_reversed(const char *p, size_t len);

/* Append the words to OUT as Markdown, with a form feed after each page.
 * Printed text is escaped where it would become markup. Cannot fail. */
void printed_add_boxes(struct buf *out, const char *p, size_t len);

#endif
