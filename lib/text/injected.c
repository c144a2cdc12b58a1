/* injected.c: a mark is known by its word alone, whatever stands around it:
 * some agents escape the `<` of all that they are given, and then ours would
 * read like one that was escaped here.
 */
#include "text/injected.h"

#include "base/unicode.h"
#include "base/utf8.h"

#define WORD "co:context"
#define NO_WORD "not-a-mark" /* no longer, so that text never grows */

/* The bytes at P that read as the word, in any case and any form of its
 * letters; 0 where they do not. */
static size_t find_word(const char *p, size_t len)
{
	uint32_t bare[UNICODE_BARE_MAX];
	size_t at = 0, i = 0, size, n;

	while (i < len && at < strlen(WORD)) {
		const uint32_t c = utf8_decode(p + i, len - i, &size);

		n = c == UTF8_BAD ? 0 : unicode_bare(c, bare);
		if (!n && !at)
			return 0;
		for (size_t k = 0; k < n; k++, at++) {
			if (bare[k] != (unsigned char)WORD[at])
				return 0;
		}
		i += size;
	}
	return at == strlen(WORD) ? i : 0;
}

/* True if the word cannot begin with the byte C. */
static bool is_other(char c)
{
	return c != 'c' && c != 'C' && !(c & 0x80);
}

void injected_escape(struct buf *out, const char *p, size_t len)
{
	size_t from = 0, i = 0;

	while (i < len) {
		const size_t n = is_other(p[i]) ? 0 : find_word(p + i, len - i);

		if (!n) {
			i++;
			continue;
		}
		buf_add(out, p + from, i - from);
		buf_adds(out, NO_WORD);
		from = i += n;
	}
	buf_add(out, p + from, len - from);
}

void injected_add(struct buf *out, const char *p, size_t len)
{
	buf_adds(out, INJECTED_OPEN);
	injected_escape(out, p, len);
	if (len && p[len - 1] != '\n')
		buf_addc(out, '\n');
	buf_adds(out, INJECTED_CLOSE);
}
