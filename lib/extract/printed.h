/* printed.h: the text of a printed document, one page after the other, as
 * helpers give it for PDF and pictures.
 *
 * What stands at the top or the bottom of most pages, as headers, footers and
 * page numbers do, is left out; where it does not count the pages it stays at the
 * top of the first page, and at the bottom of the last.  A paragraph goes on where
 * the next page does, and a word that was broken at the end of a line is whole
 * again.
 */
#ifndef CO_EXTRACT_PRINTED_H
#define CO_EXTRACT_PRINTED_H

#include "base/buf.h"

/* Append the LEN bytes of P, UTF-8, whose pages end with form feeds.  Cannot
 * fail. */
void printed_add(struct buf *out, const char *p, size_t len);

/* True if the sentence that the LEN bytes of P end goes on in the N bytes of
 * NEXT. */
bool printed_goes_on(const char *p, size_t len, const char *next, size_t n);

/* True if C is a letter, in ASCII or a byte of one beyond it; and no capital one of
 * ASCII. */
bool printed_is_letter(char c);
bool printed_is_lower(char c);

#endif
