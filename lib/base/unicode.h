/* unicode.h: what needs the Unicode tables; the one owner of utf8proc. */
#ifndef CO_BASE_UNICODE_H
#define CO_BASE_UNICODE_H

#include "base/buf.h"

/* Append P folded for comparison: canonically composed (NFC), so that a
 * combining mark and its composed letter agree, and, with CASELESS, fully
 * case-folded (straße = STRASSE), with the four i of Turkish (i I ı İ) as one.
 * Bytes that are no UTF-8 become U+FFFD.  Linear, and cannot fail. */
void unicode_fold(struct buf *out, const char *p, size_t len, bool caseless);

/* False if unicode_fold() makes no ASCII of what is not, and leaves nothing out
 * between what is; or no ideograph (unicode_is_ideograph() up to U+9FFF) of what
 * is another character: then such text stands in P where it stands in the
 * folded, but for its case.  True where that is not sure.  Much faster. */
bool unicode_may_become_ascii(const char *p, size_t len);
bool unicode_may_become_ideograph(const char *p, size_t len);

/* Append P in lower case, canonically composed, as people write it: İ is i, and
 * ß stays.  Bytes that are no UTF-8 become U+FFFD.  Cannot fail. */
void unicode_lower(struct buf *out, const char *p, size_t len);

/* What C is taken for when nobody looks closely: compatibility forms unified
 * (NFKD, so that ＜ is <), caseless, and without marks and what nobody sees.
 * Returns how many characters OUT got, none for a mark. */
#define UNICODE_BARE_MAX 18
size_t unicode_bare(uint32_t c, uint32_t out[UNICODE_BARE_MAX]);

/* The plain letters of a folded Latin letter that is one of its own and so does
 * not decompose (ae of æ, o of ø); "" for all others. */
const char *unicode_plain(uint32_t c);

/* Append the slug of P: diacritics folded, lower case, runs outside [a-z0-9]
 * as one '-', none at the ends; of the first 50 characters, at most 50 bytes;
 * "memory" when nothing is left.  Cannot fail. */
void unicode_slug(struct buf *out, const char *p, size_t len);

/* True if C is a letter, digit or mark: what words are made of. */
bool unicode_is_word(uint32_t c);

/* True if C may become one with the character before it: marks, the vowels and
 * finals of Hangul, the vowel signs of Kirat Rai. */
bool unicode_may_compose(uint32_t c);

/* True if C is a mark of a script other than Latin, or one of its letters. */
bool unicode_is_foreign(uint32_t c);

/* True if C is written from right to left (Hebrew, Arabic, ...). */
bool unicode_is_rtl(uint32_t c);

/* The columns of a terminal that the LEN bytes of P take, at most. */
size_t unicode_columns(const char *p, size_t len);

/* True if C is a Chinese character. */
bool unicode_is_ideograph(uint32_t c);

/* True if C is a symbol, mathematical or other. */
bool unicode_is_symbol(uint32_t c);

/* True if C shows as a pictograph (emoji), by Extended_Pictographic, or
 * changes the skin of one. */
bool unicode_is_emoji(uint32_t c);

/* Append the name and version of the library behind this. */
void unicode_library(struct buf *out);

#endif
