/* markdown.c: any bytes as Markdown.
 *
 * Properties: blocks are in order and consist of whole lines; each line that is
 * not blank is in one block; the content of a block is inside it; a heading has
 * a level, and fenced code a fence; only the last block may be open; sections
 * and entries start with blocks, and lose no line of the text.
 */
#include "../fuzz.h"

#include "agent/remember.h"
#include "text/markdown.h"

static bool all_blank(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!memchr(" \t\r\n", p[i], 4))
			return false;
	}
	return true;
}

static void must_be_block(const struct block *b, const char *p, size_t len)
{
	const char *end = p + b->start + b->len;

	must(b->len && b->start + b->len <= len, "a block lies in the text");
	must(!b->start || p[b->start - 1] == '\n',
	     "a block begins with a line");
	must(end == p + len || *end == '\n' ||
		     (*end == '\r' && end + 1 < p + len && end[1] == '\n'),
	     "a block ends with a line");
	must(!b->text_len ||
		     (b->text >= p + b->start && b->text + b->text_len <= end),
	     "the content of a block is inside it");
	must((b->kind == BLOCK_HEADING) == (b->level > 0) && b->level <= 6,
	     "a heading has a level");
	must((b->kind == BLOCK_FENCED) == (b->fence_len > 2),
	     "fenced code has a fence");
	must(b->depth <= MARKDOWN_DEEP && (!b->item || b->listed) &&
		     (!b->listed || b->depth),
	     "an item is in a list");
}

/* Check the blocks of P, and return their number. */
static size_t review_walk(const char *p, size_t len)
{
	struct markdown m;
	struct block b;
	size_t at = 0, n = 0;
	bool open = false;

	markdown_start(&m, p, len);
	for (; markdown_next(&m, &b); n++) {
		must(!open, "only the last is open");
		must(b.start >= at && all_blank(p + at, b.start - at),
		     "each line is in exactly one block");
		must_be_block(&b, p, len);
		at = b.start + b.len;
		open = b.open;
	}
	must(open || all_blank(p + at, len - at), "the last line is not lost");
	return n;
}

static void split(const char *p, size_t len, size_t blocks)
{
	struct markdown_entries list = {0};
	size_t at = 0;

	markdown_entries_split(&list, p, len);
	must(list.n <= blocks, "an entry has at least one block");
	for (size_t i = 0; i < list.n; i++) {
		const struct markdown_entry *e = &list.items[i];

		must(e->start >= at && all_blank(p + at, e->start - at),
		     "each line is in an entry");
		must(e->heading == MARKDOWN_ENTRY_NONE || e->heading < i,
		     "a heading is before its entries");
		at = e->start + e->len;
	}
	free(list.items);
}

static int count(void *ctx, const struct markdown_section *s)
{
	must(!strchr(s->title, '\n'), "a title is one line");
	++*(size_t *)ctx;
	return 0;
}

static int count_told(void *ctx, const char *p, size_t len)
{
	must(len >= REMEMBER_MIN && len <= REMEMBER_MAX,
	     "a text to remember has a limited length");
	must(!all_blank(p, 1) && !all_blank(p + len - 1, 1),
	     "a text to remember has no blanks at its ends");
	++*(size_t *)ctx;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = size ? (const char *)data : "";
	const size_t blocks = review_walk(p, size);
	size_t n = 0;

	split(p, size, blocks);
	markdown_sections_each(p, size, count, &n);
	must(n <= blocks + 1, "each section except the first has a heading");
	n = 0;
	remember_each(p, size, count_told, &n);
	return 0;
}
