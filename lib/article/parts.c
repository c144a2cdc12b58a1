#include "article/parts.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "text/markdown.h"

#define LEVELS 6
#define SHOWN 60 /* bytes of a line in messages */

void parts_strip(const char **p, size_t *len)
{
	while (*len && strchr(" \t\r\n", (*p)[*len - 1]))
		--*len;
	while (*len && strchr("\r\n", **p)) {
		++*p;
		--*len;
	}
}

/* Set AT to the offsets of the headings of LEVEL in the LEN bytes of P, except
 * one at the start. Returns their number. The caller frees AT. */
static size_t find_cuts(const char *p, size_t len, int level, size_t **at)
{
	struct markdown m;
	struct block b;
	size_t n = 0, cap = 0;

	markdown_start(&m, p, len);
	while (markdown_next(&m, &b)) {
		if (b.kind != BLOCK_HEADING || b.depth || b.level != level ||
		    !b.start)
			continue;
		*MEM_ADD(*at, n, cap) = b.start;
	}
	return n;
}

static int split_part(struct parts *list, const char *p, size_t len, size_t max,
		      int level, struct err *e);

/* Add the LEN bytes of P as a part, or split them if they are too large. */
static int add_part(struct parts *list, const char *p, size_t len, size_t max,
		    int level, struct err *e)
{
	parts_strip(&p, &len);
	if (!len)
		return 0;
	if (len > max)
		return split_part(list, p, len, max, level, e);
	if (list->n == PARTS_MOST)
		return err_set(e, ERR_DATA,
			       "it has more than %d parts: save it in several",
			       PARTS_MOST);
	*MEM_ADD(list->items, list->n, list->cap) = (struct part){p, len};
	return 0;
}

/* Add the LEN bytes of P, which are too large for a part, split at headings of
 * LEVEL, or of the next lower level that exists. */
static int split_part(struct parts *list, const char *p, size_t len, size_t max,
		      int level, struct err *e)
{
	size_t *at = NULL, n = 0, from = 0;
	int r = 0;

	while (level <= LEVELS && !(n = find_cuts(p, len, level, &at)))
		level++;
	if (!n)
		r = err_set(e, ERR_DATA,
			    "%zu bytes have no heading to be cut at: '%.*s'",
			    len, (int)utf8_cut(p, strcspn(p, "\n"), SHOWN), p);
	for (size_t i = 0; i <= n && !r; i++) {
		const size_t to = i < n ? at[i] : len;

		r = add_part(list, p + from, to - from, max, level + 1, e);
		from = to;
	}
	free(at);
	return r;
}

int parts_cut(struct parts *list, const char *p, size_t len, size_t max,
	      struct err *e)
{
	*list = (struct parts){0};
	return add_part(list, p, len, max, 1, e);
}

void parts_release(struct parts *list)
{
	free(list->items);
	*list = (struct parts){0};
}
