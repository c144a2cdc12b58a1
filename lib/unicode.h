/* unicode.h: what needs the Unicode tables; the one owner of utf8proc. */
#ifndef CO_UNICODE_H
#define CO_UNICODE_H

#include "buf.h"

/* Append P folded for comparison: canonically composed (NFC), so that a
 * combining mark and its composed letter agree, and, with CASELESS, fully
 * case-folded (straße = STRASSE), with the four i of Turkish (i I ı İ) as one.
 * Bytes that are no UTF-8 become U+FFFD.  Cannot fail. */
void unicode_fold(struct buf *out, const char *p, size_t len, bool caseless);

/* Append P with compatibility forms unified (NFKC), caseless, and without the
 * characters that nobody sees: what a reader, or a model, takes the text for.
 * MAP, unless NULL, gets one offset into P for every byte appended (the start
 * of the character it came from), in a buf of size_t.  Cannot fail. */
void unicode_skeleton(struct buf *out, struct buf *map, const char *p,
		      size_t len);

/* Append the slug of P: diacritics folded, lower case, runs outside [a-z0-9]
 * as one '-', none at the ends; of the first 50 characters, at most 50 bytes;
 * "memory" when nothing is left.  Cannot fail. */
void unicode_slug(struct buf *out, const char *p, size_t len);

/* Terminal columns that character C takes: 0, 1 or 2. */
int unicode_width(uint32_t c);

/* True if C is a letter, digit or mark: what words are made of. */
bool unicode_is_word(uint32_t c);

/* True if C is a letter of a script other than Latin. */
bool unicode_is_foreign_letter(uint32_t c);

/* True if C shows as a pictograph (emoji), by Extended_Pictographic. */
bool unicode_is_emoji(uint32_t c);

#endif
