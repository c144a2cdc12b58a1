/* ascii.h: locale-independent classes of ASCII characters, and runs of them.
 *
 * C is the value of a char, which may be negative. A value outside ASCII
 * belongs to no class, and ascii_lower() returns it unchanged.
 */
#ifndef CO_BASE_ASCII_H
#define CO_BASE_ASCII_H

#include <stdbool.h>
#include <string.h>

static inline bool ascii_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static inline bool ascii_is_upper(int c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool ascii_is_lower(int c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool ascii_is_letter(int c)
{
	return ascii_is_lower(c) || ascii_is_upper(c);
}

static inline bool ascii_is_alnum(int c)
{
	return ascii_is_letter(c) || ascii_is_digit(c);
}

static inline bool ascii_is_hex(int c)
{
	return ascii_is_digit(c) || (c >= 'a' && c <= 'f') ||
	       (c >= 'A' && c <= 'F');
}

/* Return true for a space or a tab. */
static inline bool ascii_is_blank(int c)
{
	return c == ' ' || c == '\t';
}

/* Return true for a space, or one of \t \n \v \f \r. */
static inline bool ascii_is_space(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Return the length of the first line of the LEN bytes at P, with its newline. */
static inline size_t ascii_line(const char *p, size_t len)
{
	const char *end = memchr(p, '\n', len);

	return end ? (size_t)(end - p) + 1 : len;
}

/* Return the number of bytes C that the LEN bytes at P begin with. */
static inline size_t ascii_run_of(const char *p, size_t len, char c)
{
	size_t n = 0;

	while (n < len && p[n] == c)
		n++;
	return n;
}

static inline char ascii_lower(char c)
{
	return ascii_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

#endif
