/* printed.h: join the pages of a printed document, from a helper for PDF or
 * images, into one text.
 *
 * Headers, footers and page numbers, which are on most pages, are removed.
 * Those without a page number are kept once, at the top of the first page or
 * the bottom of the last.  Paragraphs continue across pages, and words
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
bool printed_goes_on(const char *p, size_t len, const char *next, size_t n);

/* Return true if C is a letter: ASCII, or a byte of a character beyond ASCII.
 * printed_is_lower() excludes the capital letters of ASCII. */
bool printed_is_letter(char c);
bool printed_is_lower(char c);

#endif
