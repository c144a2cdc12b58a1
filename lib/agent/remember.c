/* remember.c: injected text is cut out first, then the lines are searched. */
#include "agent/remember.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/injected.h"
#include "text/markdown.h"

#include <strings.h>

/* If the *LEN bytes at *P begin with WORD, in upper or lower case, move *P past
 * it and return true. Otherwise change nothing and return false. */
static bool skip_word(const char **p, size_t *len, const char *word)
{
	size_t n = strlen(word);

	if (*len < n || strncasecmp(*p, word, n) != 0)
		return false;
	*p += n;
	*len -= n;
	return true;
}

/* Return true if the line is a request to remember something. *P and *LEN are
 * then its text. */
static bool is_request(const char **p, size_t *len)
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

/* A search for requests in a text. */
struct request_search {
	remember_fn *fn;
	void *ctx;
	const char *from; /* The text of an open request, which may continue in
			   * the next block; FROM is NULL if there is none. */
	const char *to;
};

static int pass_request(const struct request_search *t, const char *p,
			size_t len)
{
	utf8_strip(&p, &len);
	return len >= REMEMBER_MIN && len <= REMEMBER_MAX
		       ? t->fn(t->ctx, p, len)
		       : 0;
}

/* Pass the requests in the LEN bytes of the block P. A line that says only
 * "remember:" opens a request, whose text is what follows. */
static int search_block(struct request_search *t, const char *p, size_t len)
{
	int r = 0;

	for (size_t n; len && !r && !t->from; p += n, len -= n) {
		const char *line = p;
		size_t rest = n = ascii_line(p, len);

		if (!is_request(&line, &rest))
			continue;
		if (rest) {
			r = pass_request(t, line, rest);
			continue;
		}
		t->from = p + n;
		t->to = p + len;
	}
	return r;
}

/* Process the block B of P: it continues an open request unless a blank line is
 * before it; otherwise it is searched. */
static int add_block(struct request_search *t, const char *p,
		     const struct block *b)
{
	int r = 0;

	if (t->from && !b->apart) {
		t->to = p + b->start + b->len;
		return 0;
	}
	if (t->from)
		r = pass_request(t, t->from, (size_t)(t->to - t->from));
	t->from = NULL;
	if (r || b->kind == BLOCK_FENCED || b->kind == BLOCK_INDENTED ||
	    b->kind == BLOCK_COMMENT)
		return r;
	return search_block(t, p + b->start, b->len);
}

int remember_each(const char *p, size_t len, remember_fn *fn, void *ctx)
{
	struct request_search t = {.fn = fn, .ctx = ctx};
	struct buf text = {0};
	struct markdown m;
	struct block b;
	int r = 0;

	injected_strip(&text, p, len);
	markdown_start(&m, buf_str(&text), text.len);
	while (!r && markdown_next(&m, &b))
		r = add_block(&t, text.p, &b);
	if (!r && t.from)
		r = pass_request(&t, t.from, (size_t)(t.to - t.from));
	buf_release(&text);
	return r;
}
