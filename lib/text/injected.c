/* injected.c: a mark is known by its word alone, whatever stands around it:
 * some agents escape the `<` of all that they are given, and then ours would
 * read like one that was escaped here.
 *
 * Injected parts are known by their marks.  They nest, as a hook's context holds
 * the suite's; a mark of the suite cannot stand in what it encloses, so nothing in
 * there can end it early.  One that is never closed reaches to the end: rather
 * forget than take an echo for news.
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

#define NEST_MAX 8
#define OWN 2 /* the first of these are our own */

static const struct {
	const char *open, *close;
} injected[] = {
	{"<!-- co:context", "<!-- /co:context -->"},
	{"&lt;!-- co:context", "&lt;!-- /co:context --&gt;"},
	{"<system-reminder>", "</system-reminder>"},
	{"<hook_context>", "</hook_context>"},
	{"<session_context>", "</session_context>"},
	{"<untrusted_context>", "</untrusted_context>"},
};

static bool starts(const char *p, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && memcmp(p, word, n) == 0;
}

/* The next byte from I on with which a mark can begin, or LEN. */
static size_t next_mark(const char *p, size_t len, size_t i)
{
	while (i < len && p[i] != '<' && p[i] != '&')
		i++;
	return i;
}

/* The index of the part that opens at P, -1 where none does. */
static int opens(const char *p, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(injected); i++) {
		if (starts(p, len, injected[i].open))
			return (int)i;
	}
	return -1;
}

/* The bytes that the injected part KIND at P takes. */
static size_t skip_part(const char *p, size_t len, int kind)
{
	const char *close = injected[kind].close;
	int open[NEST_MAX] = {kind}, depth = 1;
	size_t i = 1;

	while ((i = next_mark(p, len, i)) < len) {
		const int inner = opens(p + i, len - i);

		close = injected[open[depth - 1]].close;
		if (starts(p + i, len - i, close)) {
			depth--;
			i += strlen(close);
			if (!depth)
				break;
		} else {
			/* The suite's own part holds nothing but text. */
			if (inner >= 0 && open[depth - 1] >= OWN &&
			    depth < NEST_MAX)
				open[depth++] = inner;
			i++;
		}
	}
	return i;
}

void injected_strip(struct buf *out, const char *p, size_t len)
{
	size_t shown = 0, i = 0;

	while ((i = next_mark(p, len, i)) < len) {
		const int kind = opens(p + i, len - i);

		if (kind < 0) {
			i++;
			continue;
		}
		buf_add(out, p + shown, i - shown);
		i += skip_part(p + i, len - i, kind);
		shown = i;
	}
	buf_add(out, p + shown, len - shown);
}
