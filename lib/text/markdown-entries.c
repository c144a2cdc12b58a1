/* markdown-entries.c: one pass, a block at a time. */
#include "text/markdown-entries.h"

#include "base/mem.h"
#include "text/markdown.h"

/* True if B begins an entry behind LAST. */
static bool begins(const struct markdown_entry *last, const struct block *b)
{
	if (b->item || !last || last->kind == MARKDOWN_ENTRY_HEADING)
		return true;
	if (b->listed)
		return false;
	return b->apart || (b->kind == BLOCK_HEADING && !b->depth);
}

/* The heading that a heading of LEVEL, or with 0 any entry, stands under. */
static size_t heading_above(const struct markdown_entries *list, int level)
{
	size_t i = list->n;

	/* From the last heading upwards, so that each level costs a step. */
	while (i && list->items[i - 1].kind != MARKDOWN_ENTRY_HEADING)
		i = list->items[i - 1].heading == MARKDOWN_ENTRY_NONE
			    ? 0
			    : list->items[i - 1].heading + 1;
	if (!i)
		return MARKDOWN_ENTRY_NONE;
	for (i--; level && i != MARKDOWN_ENTRY_NONE &&
		  list->items[i].level >= level;)
		i = list->items[i].heading;
	return i;
}

static struct markdown_entry *begin(struct markdown_entries *list,
				    const struct block *b)
{
	struct markdown_entry new = {.start = b->start, .line = b->line};

	new.apart = b->apart && list->n;
	new.level = b->depth ? 0 : b->level;
	new.kind = b->item     ? MARKDOWN_ENTRY_ITEM
		   : new.level ? MARKDOWN_ENTRY_HEADING
			       : MARKDOWN_ENTRY_TEXT;
	new.title = b->text;
	new.title_len = b->text_len;
	new.heading = heading_above(list, new.level);
	if (new.heading != MARKDOWN_ENTRY_NONE)
		list->items[new.heading].has_parts = true;
	list->items = mem_grow(list->items, list->n, &list->cap,
			       sizeof(*list->items));
	list->items[list->n] = new;
	return &list->items[list->n++];
}

void markdown_entries_split(struct markdown_entries *list, const char *p,
			    size_t len)
{
	struct markdown_entry *last = NULL;
	struct markdown m;
	struct block b;

	markdown_start(&m, p, len);
	while (markdown_next(&m, &b)) {
		if (begins(last, &b))
			last = begin(list, &b);
		last->len = b.start + b.len - last->start;
		if (b.open && !b.depth) {
			last->fence = b.fence;
			last->fence_len = b.fence_len;
		}
	}
}

void markdown_entries_add(struct buf *out, const struct markdown_entry *e,
			  const char *p)
{
	buf_add(out, p + e->start, e->len);
	if (!e->fence)
		return;
	buf_addc(out, '\n');
	for (size_t i = 0; i < e->fence_len; i++)
		buf_addc(out, e->fence);
}

size_t markdown_entries_size(const struct markdown_entry *e)
{
	return e->len + (e->fence ? 1 + e->fence_len : 0);
}
