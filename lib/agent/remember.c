/* remember.c: what was injected is cut out first, then lines are looked at.
 *
 * Injected parts are known by their marks.  They nest, as a hook's context
 * holds the suite's; a mark of the suite cannot stand in what it encloses (see
 * text/injected.h), so nothing in there can end it early.  One that is never
 * closed reaches to the end: rather forget than take an echo for news.
 */
#include "agent/remember.h"

#include "base/utf8.h"
#include "text/markdown.h"

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

void remember_strip(struct buf *out, const char *p, size_t len)
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

/* A text that is looked through. */
struct telling {
	remember_fn *fn;
	void *ctx;
	const char *from; /* what is asked for begins here, ends there: NULL */
	const char *to;	  /* where nothing is */
};

static int tell(const struct telling *t, const char *p, size_t len)
{
	utf8_strip(&p, &len);
	return len >= REMEMBER_MIN && len <= REMEMBER_MAX
		       ? t->fn(t->ctx, p, len)
		       : 0;
}

/* Look through the LEN bytes of the block at P.  Where a line asks and says no
 * more, what follows it is asked for. */
static int look_through(struct telling *t, const char *p, size_t len)
{
	int r = 0;

	for (size_t n; len && !r && !t->from; p += n, len -= n) {
		const char *line = p;
		size_t rest = n = line_length(p, len);

		if (!asks(&line, &rest))
			continue;
		if (rest) {
			r = tell(t, line, rest);
			continue;
		}
		t->from = p + n;
		t->to = p + len;
	}
	return r;
}

/* Take the block B of P: into what is asked for, up to a blank line. */
static int take_block(struct telling *t, const char *p, const struct block *b)
{
	int r = 0;

	if (t->from && !b->apart) {
		t->to = p + b->start + b->len;
		return 0;
	}
	if (t->from)
		r = tell(t, t->from, (size_t)(t->to - t->from));
	t->from = NULL;
	if (r || b->kind == BLOCK_FENCED || b->kind == BLOCK_INDENTED ||
	    b->kind == BLOCK_COMMENT)
		return r;
	return look_through(t, p + b->start, b->len);
}

int remember_each(const char *p, size_t len, remember_fn *fn, void *ctx)
{
	struct telling t = {.fn = fn, .ctx = ctx};
	struct buf text = {0};
	struct markdown m;
	struct block b;
	int r = 0;

	remember_strip(&text, p, len);
	markdown_start(&m, buf_str(&text), text.len);
	while (!r && markdown_next(&m, &b))
		r = take_block(&t, text.p, &b);
	if (!r && t.from)
		r = tell(&t, t.from, (size_t)(t.to - t.from));
	buf_release(&text);
	return r;
}
