/* utf8.h: decode, check and cut UTF-8.
 *
 * The locale has no effect. Functions that need tables (case, width,
 * categories) are in unicode.h.
 */
#ifndef CO_BASE_UTF8_H
#define CO_BASE_UTF8_H

#include "base/err.h"

#define UTF8_BAD UINT32_MAX

/* Decode the character at P of LEN > 0 bytes and set *SIZE to its bytes. If
 * they are not UTF-8 (overlong, surrogate, beyond U+10FFFF, truncated), return
 * UTF8_BAD with *SIZE 1. */
uint32_t utf8_decode(const char *p, size_t len, size_t *size);

/* Return true if a character of three bytes begins at P, as most Chinese ones
 * do. False does not mean that none begins: the check excludes a few lead
 * bytes. */
static inline bool utf8_is_wide(const char *p, size_t len)
{
	const unsigned char *s = (const unsigned char *)p;

	return len >= 3 && s[0] > 0xE0 && s[0] <= 0xEF && s[0] != 0xED &&
	       (s[1] & 0xC0) == 0x80 && (s[2] & 0xC0) == 0x80;
}

/* Return how many bytes at the start of P are such characters. */
size_t utf8_wide(const char *p, size_t len);

/* Encode the scalar value C into OUT. Returns the number of bytes, 1 to 4. */
size_t utf8_put(uint32_t c, char out[4]);

/* Return true if all LEN bytes are ASCII. Fast. */
bool utf8_is_ascii(const char *p, size_t len);

/* Return the offset of the first byte that is not UTF-8, LEN if there is
 * none. */
size_t utf8_check(const char *p, size_t len);

/* Return the largest length <= MAX at which P can be cut without splitting a
 * character. */
size_t utf8_cut(const char *p, size_t len, size_t max);

/* Return the length of the first N characters of P, at most LEN. A bad byte
 * counts as one character. */
size_t utf8_prefix(const char *p, size_t len, size_t n);

/* Return the line and column, both from 1, of the byte at OFFSET of P. Columns
 * count characters; a line ends in \n. */
void utf8_place(const char *p, size_t offset, int *line, int *col);

/* Set E to ERR_DATA and "LINE:COL: WHAT" for the byte at OFFSET. Returns -1. */
int utf8_fault(struct err *e, const char *p, size_t offset, const char *what);

/* Parse N hexadecimal digits at P into *C. Returns false if one is not a
 * digit. */
bool utf8_hex(const char *p, size_t n, uint32_t *c);

/* Return the byte of LETTERS at the position where C occurs in OF, else 0. It
 * translates the letter after the backslash of an escape. */
char utf8_letter(uint32_t c, const char *of, const char *letters);

/* Remove ASCII blanks (space, \t, \n, \v, \f, \r) at both ends by changing *P
 * and *LEN. A NUL is not blank. */
void utf8_strip(const char **p, size_t *len);

#endif
