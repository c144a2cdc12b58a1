/* injected.c: the word in our mark is enough to recognise it. Some agents
 * escape every `<` of their input; then our mark has no `<`.
 *
 * injected_strip() finds the parts by their marks. Parts nest: a hook's context
 * can contain ours. Our own part contains no mark, because injected_escape()
 * removes them, so nothing inside can end it early. A part without an end
 * extends to the end of the text: losing text is better than storing an echo as
 * news.
 */
#include "text/injected.h"

#include "base/unicode.h"
#include "base/utf8.h"

#define WORD "co:context"
#define NO_WORD "not-a-mark" /* not longer than WORD */

/* Return the length of the text at P that reads as WORD, ignoring case and
 * letter form; 0 if it does not. */
static size_t match_word(const char *p, size_t len)
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

/* Return true if WORD cannot begin with the byte C. */
static bool is_other(char c)
{
	return c != 'c' && c != 'C' && !(c & 0x80);
}

void injected_escape(struct buf *out, const char *p, size_t len)
{
	size_t from = 0, i = 0;

	while (i < len) {
		const size_t n =
			is_other(p[i]) ? 0 : match_word(p + i, len - i);

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
#define OWN 2 /* the first entries are our own marks */

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

static bool has_prefix(const char *p, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && memcmp(p, word, n) == 0;
}

/* Return the offset from I on of the next byte that can begin a mark, or
 * LEN. */
static size_t next_mark(const char *p, size_t len, size_t i)
{
	while (i < len && p[i] != '<' && p[i] != '&')
		i++;
	return i;
}

/* Return the index of the mark that opens at P, or -1. */
static int opening_mark(const char *p, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(injected); i++) {
		if (has_prefix(p, len, injected[i].open))
			return (int)i;
	}
	return -1;
}

/* Return the length of the injected part KIND at P. */
static size_t part_len(const char *p, size_t len, int kind)
{
	const char *close = injected[kind].close;
	int open[NEST_MAX] = {kind}, depth = 1;
	size_t i = 1;

	while ((i = next_mark(p, len, i)) < len) {
		const int inner = opening_mark(p + i, len - i);

		close = injected[open[depth - 1]].close;
		if (has_prefix(p + i, len - i, close)) {
			depth--;
			i += strlen(close);
			if (!depth)
				break;
		} else {
			/* Our own part contains no other part. */
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
		const int kind = opening_mark(p + i, len - i);

		if (kind < 0) {
			i++;
			continue;
		}
		buf_add(out, p + shown, i - shown);
		i += part_len(p + i, len - i, kind);
		shown = i;
	}
	buf_add(out, p + shown, len - shown);
}

bool injected_is_request(const char *p, size_t len)
{
	static const char name[] = "\n\n" REQUEST_MARK_NAME;
	static const char open[] = "\n\n<" REQUEST_MARK_TAG ">\n";
	const char *end = p + len, *at = p, *line;

	while ((at = memmem(at, (size_t)(end - at), name, sizeof(name) - 1))) {
		at += sizeof(name) - 1;
		line = memchr(at, '\n', (size_t)(end - at));
		if (line && (size_t)(end - line) >= sizeof(open) - 1 &&
		    !memcmp(line, open, sizeof(open) - 1))
			return true;
	}
	return false;
}
