/* remember.c: injected text is cut out first, then the lines are searched. */
#include "agent/remember.h"

#include "base/utf8.h"
#include "text/injected.h"
#include "text/markdown.h"

#include <strings.h>

/* Move *P of *LEN bytes after WORD, in any case. Return false, with nothing moved,
 * if they do not begin with it. */
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

/* Process the block B of P: it belongs to the request, up to a blank line. */
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

	injected_strip(&text, p, len);
	markdown_start(&m, buf_str(&text), text.len);
	while (!r && markdown_next(&m, &b))
		r = take_block(&t, text.p, &b);
	if (!r && t.from)
		r = tell(&t, t.from, (size_t)(t.to - t.from));
	buf_release(&text);
	return r;
}
