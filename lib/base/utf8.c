/* utf8.c: decoding follows table 3-7 of the Unicode standard. Long texts are
 * examined eight bytes at a time. */
#include "base/utf8.h"

#include "base/ascii.h"

#define HIGH UINT64_C(0x8080808080808080) /* zero in ASCII */

/* Load eight bytes as a number, in the byte order of the machine. */
static uint64_t word_of(const void *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

uint32_t utf8_decode(const char *p, size_t len, size_t *size)
{
	const unsigned char *s = (const unsigned char *)p;
	unsigned char low = 0x80, high = 0xBF;
	uint32_t c = s[0];
	size_t need;

	*size = 1;
	if (c < 0x80)
		return c;
	if (c < 0xC2 || c > 0xF4)
		return UTF8_BAD;
	need = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
	if (len < need)
		return UTF8_BAD;
	if (c == 0xE0)
		low = 0xA0; /* exclude overlong forms */
	else if (c == 0xED)
		high = 0x9F; /* exclude surrogates */
	else if (c == 0xF0)
		low = 0x90;
	else if (c == 0xF4)
		high = 0x8F; /* exclude code points beyond U+10FFFF */
	if (s[1] < low || s[1] > high)
		return UTF8_BAD;
	c &= 0xFFu >> (need + 1);
	c = c << 6 | (s[1] & 0x3F);
	for (size_t i = 2; i < need; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return UTF8_BAD;
		c = c << 6 | (s[i] & 0x3F);
	}
	*size = need;
	return c;
}

size_t utf8_put(uint32_t c, char out[4])
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xC0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3F));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xE0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3F));
		out[2] = (char)(0x80 | (c & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3F));
	out[2] = (char)(0x80 | (c >> 6 & 0x3F));
	out[3] = (char)(0x80 | (c & 0x3F));
	return 4;
}

bool utf8_is_ascii(const char *p, size_t len)
{
	uint64_t a, b, c, d;

	for (; len >= 32; p += 32, len -= 32) {
		memcpy(&a, p, 8);
		memcpy(&b, p + 8, 8);
		memcpy(&c, p + 16, 8);
		memcpy(&d, p + 24, 8);
		if ((a | b | c | d) & HIGH)
			return false;
	}
	for (; len; p++, len--) {
		if (*p & 0x80)
			return false;
	}
	return true;
}

size_t utf8_check(const char *p, size_t len)
{
	size_t i = 0, size;

	while (i < len) {
		size = 1;
		if (!(p[i] & 0x80)) {
			if (len - i >= 8 && !(word_of(p + i) & HIGH))
				size = 8;
		} else if (utf8_decode(p + i, len - i, &size) == UTF8_BAD) {
			return i;
		}
		i += size;
	}
	return len;
}

size_t utf8_cut(const char *p, size_t len, size_t max)
{
	size_t cut = max, size;

	if (len <= max)
		return len;
	while (cut && max - cut < 3 && ((unsigned char)p[cut] & 0xC0) == 0x80)
		cut--;
	/* Remove the character only if it crosses MAX. */
	utf8_decode(p + cut, len - cut, &size);
	return cut + size > max ? cut : max;
}

/* Return true if two characters of utf8_is_wide() begin at P, which has eight
 * readable bytes. */
static bool are_wide(const char *p)
{
	const uint64_t marks = word_of("\xF0\xC0\xC0\xF0\xC0\xC0\0"),
		       marked = word_of("\xE0\x80\x80\xE0\x80\x80\0"),
		       lows = word_of("\x0F\0\0\x0F\0\0\0"),
		       surrogate = word_of("\x0D\0\0\x0D\0\0\0"),
		       carry = word_of("\x10\0\0\x10\0\0\0");
	const uint64_t word = word_of(p), low = word & lows;

	/* Adding 0xF to a nonzero half byte sets the carry bit. */
	return (word & marks) == marked &&
	       ((low + lows) & ((low ^ surrogate) + lows) & carry) == carry;
}

size_t utf8_wide(const char *p, size_t len)
{
	size_t i = 0;

	while (len - i >= 8 && are_wide(p + i))
		i += 6;
	while (utf8_is_wide(p + i, len - i))
		i += 3;
	return i;
}

size_t utf8_prefix(const char *p, size_t len, size_t n)
{
	size_t i = 0, size;
	uint64_t word;

	for (; n && i < len; n--, i += size) {
		size = 1;
		if (utf8_is_wide(p + i, len - i)) {
			size = utf8_wide(p + i,
					 n < (len - i) / 3 ? 3 * n : len - i);
			n -= size / 3 - 1;
		} else if (p[i] & 0x80) {
			utf8_decode(p + i, len - i, &size);
		} else if (n >= 8 && len - i >= 8) {
			memcpy(&word, p + i, 8);
			if (word & HIGH)
				continue;
			size = 8;
			n -= 7;
		}
	}
	return i;
}

void utf8_place(const char *p, size_t offset, int *line, int *col)
{
	size_t i = 0, size;

	*line = *col = 1;
	while (i < offset) {
		if (p[i] == '\n') {
			++*line;
			*col = 0;
		}
		utf8_decode(p + i, offset - i, &size);
		i += size;
		++*col;
	}
}

int utf8_fault(struct err *e, const char *p, size_t offset, const char *what)
{
	int line, col;

	utf8_place(p, offset, &line, &col);
	return err_set(e, ERR_DATA, "%d:%d: %s", line, col, what);
}

bool utf8_hex(const char *p, size_t n, uint32_t *c)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	*c = 0;
	for (size_t i = 0; i < n; i++) {
		const char *d = p[i] ? strchr(digits, p[i]) : NULL;

		if (!d)
			return false;
		*c = *c * 16 + (uint32_t)(d - digits - (d - digits > 15) * 6);
	}
	return true;
}

char utf8_letter(uint32_t c, const char *of, const char *letters)
{
	const char *at = c < 0x80 ? strchr(of, (int)c) : NULL;

	return at ? letters[at - of] : '\0';
}

void utf8_strip(const char **p, size_t *len)
{
	while (*len && ascii_is_space((*p)[*len - 1]))
		--*len;
	while (*len && ascii_is_space(**p)) {
		++*p;
		--*len;
	}
}
