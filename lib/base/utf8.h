/* utf8.h: UTF-8 by the byte: decoding, checking, cutting.
 *
 * No locale takes part: the same bytes give the same answer everywhere.
 * What needs tables (case, width, categories) is in unicode.h.
 */
#ifndef CO_BASE_UTF8_H
#define CO_BASE_UTF8_H

#include "base/err.h"

#define UTF8_BAD UINT32_MAX

/* Decode the character at P of LEN > 0 bytes.  *SIZE gets the bytes it takes,
 * 1 where they are no UTF-8 (overlong, surrogate, beyond U+10FFFF, cut short);
 * the result is then UTF8_BAD. */
uint32_t utf8_decode(const char *p, size_t len, size_t *size);

/* True if a character of three bytes begins at P of LEN bytes, as most do of
 * Chinese; of other characters that is not said. */
static inline bool utf8_is_wide(const char *p, size_t len)
{
	const unsigned char *s = (const unsigned char *)p;

	return len >= 3 && s[0] > 0xE0 && s[0] <= 0xEF && s[0] != 0xED &&
	       (s[1] & 0xC0) == 0x80 && (s[2] & 0xC0) == 0x80;
}

/* The bytes of those that P of LEN bytes begins with. */
size_t utf8_wide(const char *p, size_t len);

/* Encode C, a scalar value, into OUT, and return the bytes written (1 to 4). */
size_t utf8_put(uint32_t c, char out[4]);

/* True if all LEN bytes are ASCII; a word at a time, for hot paths. */
bool utf8_is_ascii(const char *p, size_t len);

/* The offset of the first byte that is no UTF-8, LEN when there is none. */
size_t utf8_check(const char *p, size_t len);

/* The longest length <= MAX at which P of LEN bytes can be cut without
 * splitting a character. */
size_t utf8_cut(const char *p, size_t len, size_t max);

/* The bytes that the first N characters of P take, at most LEN; a bad byte
 * counts as one character. */
size_t utf8_prefix(const char *p, size_t len, size_t n);

/* Line and column, both from 1, of the byte at OFFSET of P; a column is a
 * character, a line ends in \n. */
void utf8_place(const char *p, size_t offset, int *line, int *col);

/* ERR_DATA, "LINE:COL: WHAT", of the byte at OFFSET of P; always -1. */
int utf8_fault(struct err *e, const char *p, size_t offset, const char *what);

/* The number that the N hexadecimal digits at P are, as in an escape, to *C;
 * false where one is none. */
bool utf8_hex(const char *p, size_t n, uint32_t *c);

/* The byte of LETTERS that stands where the character C does in OF, of ASCII, as
 * behind the backslash of an escape; 0 where it does not. */
char utf8_letter(uint32_t c, const char *of, const char *letters);

/* Strip ASCII blanks (space, \t, \n, \v, \f, \r) at both ends: *P and *LEN
 * are moved.  A NUL is not a blank. */
void utf8_strip(const char **p, size_t *len);

#endif
