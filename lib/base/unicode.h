/* unicode.h: functions that need the Unicode tables. Only this module uses
 * utf8proc. C is a code point; nothing here fails. */
#ifndef CO_BASE_UNICODE_H
#define CO_BASE_UNICODE_H

#include "base/buf.h"

/* Append P folded for comparison: composed (NFC) and, if CASELESS, fully
 * case-folded (straße = STRASSE), with the four Turkish i (I ı İ i) made equal.
 * Bytes that are not UTF-8 become U+FFFD. Takes linear time. */
void unicode_fold(struct buf *out, const char *p, size_t len, bool caseless);

/* Append P, case-folded as by unicode_fold(), with each run of blanks as one space and
 * none at the ends. */
void unicode_fold_blanks(struct buf *out, const char *p, size_t len);

/* Return the hash of what unicode_fold_blanks() makes of P. */
uint64_t unicode_fold_hash(const char *p, size_t len);

/* Return true if C is white space, in ASCII or Unicode. */
bool unicode_is_blank(uint32_t c);

/* A fast check before unicode_fold(). Return false if folding P certainly
 * creates no ASCII from other characters and drops nothing between ASCII
 * characters; or, for the second function, creates no ideograph up to U+9FFF
 * from another character. Then such text is in P where it is in the folded
 * text, except for its case. True means that P must be folded to know. */
bool unicode_may_become_ascii(const char *p, size_t len);
bool unicode_may_become_ideograph(const char *p, size_t len);

/* Append P in lower case, composed, as people write it: İ becomes i, ß stays.
 * Bytes that are not UTF-8 become U+FFFD. */
void unicode_lower(struct buf *out, const char *p, size_t len);

/* Write the base characters of C to OUT: compatibility forms unified (NFKD, so
 * that ＜ becomes <), case folded, marks and invisible characters removed.
 * Returns their number, which is 0 for a mark. */
#define UNICODE_BARE_MAX 18
size_t unicode_bare(uint32_t c, uint32_t out[UNICODE_BARE_MAX]);

/* Write the canonical decomposition (NFD) of C in lower case, without
 * nonspacing marks, to OUT. Returns its length, which is 0 for such a mark. */
size_t unicode_unaccented(uint32_t c, uint32_t out[UNICODE_BARE_MAX]);

/* What BERT distinguishes: characters without a glyph (other than tabs and ends
 * of lines, which are blanks), blanks, punctuation and the symbols of ASCII,
 * ideographs, and all others. */
enum unicode_role {
	UNICODE_CONTROL,
	UNICODE_BLANK,
	UNICODE_PUNCTUATION,
	UNICODE_IDEOGRAPH,
	UNICODE_LETTER
};

enum unicode_role unicode_role(uint32_t c);

/* Return the ASCII spelling of a folded Latin letter that has no decomposition
 * (ae for æ, o for ø), or "". */
const char *unicode_plain(uint32_t c);

/* Append the slug of the first 50 characters of P: diacritics removed, lower
 * case, each run outside [a-z0-9] as one '-', none at the ends, at most 50
 * bytes. "memory" if nothing is left. */
void unicode_slug(struct buf *out, const char *p, size_t len);

/* Return true if C is a letter, digit or mark, as in words. */
bool unicode_is_word(uint32_t c);

/* Return true if C may combine with the character before it: a mark, a vowel or
 * final of Hangul, a vowel sign of Kirat Rai. */
bool unicode_may_compose(uint32_t c);

/* Return true if C is a letter or mark of a script other than Latin. */
bool unicode_is_foreign(uint32_t c);

/* Return true if C is written from right to left (Hebrew, Arabic, ...). */
bool unicode_is_rtl(uint32_t c);

/* Return the most terminal columns that the LEN bytes at P need. */
size_t unicode_columns(const char *p, size_t len);

/* Return true if C is a Chinese character. */
bool unicode_is_ideograph(uint32_t c);

/* Return true if C is a mathematical or other symbol. */
bool unicode_is_symbol(uint32_t c);

/* Return true if C is a pictograph (Extended_Pictographic) or an emoji
 * modifier. */
bool unicode_is_emoji(uint32_t c);

/* Append the name and version of utf8proc. */
void unicode_library(struct buf *out);

#endif
