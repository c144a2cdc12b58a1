/* told.c: what was injected is cut out first, then lines are looked at.
 *
 * Injected parts are known by their marks.  They nest, as a hook's context
 * holds the suite's; a mark of the suite cannot stand in what it encloses (see
 * mark.h), so nothing in there can end it early.  One that is never closed
 * reaches to the end: rather forget than take an echo for news.
 */
#include "told.h"

#include "utf8.h"

#include <strings.h>

#define NEST_MAX 8

static const struct {
	const char *open, *close;
} injected[] = {
	{"<!-- co:context", "<!-- /co:context -->"},
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

	while (i < len && depth) {
		const char *next = memchr(p + i, '<', len - i);
		int inner;

		if (!next)
			return len;
		i = (size_t)(next - p);
		close = injected[open[depth - 1]].close;
		inner = opens(next, len - i);
		if (starts(next, len - i, close)) {
			depth--;
			i += strlen(close);
		} else {
			/* The suite's own part holds nothing but text. */
			if (inner >= 0 && open[depth - 1] && depth < NEST_MAX)
				open[depth++] = inner;
			i++;
		}
	}
	return i;
}

void told_strip(struct buf *out, const char *p, size_t len)
{
	size_t shown = 0, i = 0;

	while (i < len) {
		const char *next = memchr(p + i, '<', len - i);
		int kind;

		if (!next)
			break;
		i = (size_t)(next - p);
		kind = opens(next, len - i);
		if (kind < 0) {
			i++;
			continue;
		}
		buf_add(out, p + shown, i - shown);
		i += skip_part(next, len - i, kind);
		shown = i;
	}
	buf_add(out, p + shown, len - shown);
}

/* Move *P of *LEN bytes behind WORD, whatever its case; false, and nothing
 * moved, where it does not begin so. */
static bool skip_word(const char **p, size_t *len, const char *word)
{
	size_t n = strlen(word);

	if (*len < n || strncasecmp(*p, word, n) != 0)
		return false;
	*p += n;
	*len -= n;
	return true;
}

/* True if the line asks for something to be remembered; *P is moved to what. */
static bool asks(const char **p, size_t *len)
{
	static const char *const words[] = {"remember:", "remember that ",
					    "learned:"};

	utf8_strip(p, len);
	if (!skip_word(p, len, "- "))
		skip_word(p, len, "* ");
	utf8_strip(p, len);
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (skip_word(p, len, words[i])) {
			utf8_strip(p, len);
			return true;
		}
	}
	return false;
}

static size_t line_length(const char *p, size_t len)
{
	const char *end = memchr(p, '\n', len);

	return end ? (size_t)(end - p) + 1 : len;
}

/* The bytes of P up to the next blank line. */
static size_t paragraph(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len) {
		const char *line = p + i;
		size_t n = line_length(line, len - i), rest = n;

		utf8_strip(&line, &rest);
		if (!rest)
			break;
		i += n;
	}
	return i;
}

static int tell(const char *p, size_t len, told_fn *fn, void *ctx)
{
	utf8_strip(&p, &len);
	return len >= TOLD_MIN && len <= TOLD_MAX ? fn(ctx, p, len) : 0;
}

/* True if the line opens or closes a fenced block. */
static bool is_fence(const char *p, size_t len)
{
	utf8_strip(&p, &len);
	return starts(p, len, "```") || starts(p, len, "~~~");
}

int told_each(const char *p, size_t len, told_fn *fn, void *ctx)
{
	struct buf text = {0};
	bool fenced = false;
	size_t i = 0;
	int r = 0;

	told_strip(&text, p, len);
	while (i < text.len && !r) {
		const char *line = text.p + i;
		size_t n = line_length(line, text.len - i), rest = n;

		i += n;
		if (is_fence(line, rest))
			fenced = !fenced;
		if (fenced || !asks(&line, &rest))
			continue;
		if (rest) {
			r = tell(line, rest, fn, ctx);
		} else {
			n = paragraph(text.p + i, text.len - i);
			r = tell(text.p + i, n, fn, ctx);
			i += n;
		}
	}
	buf_release(&text);
	return r;
}
