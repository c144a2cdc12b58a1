/* markdown-entries.h: the entries of a Markdown text, the smallest parts that
 * can be left out of it.
 *
 * An entry is a heading, an item of a list with all that is indented below it,
 * or a paragraph; a fenced block or a comment belongs to the text that it
 * follows, and stands alone behind a blank line.  No entry ends inside a fenced
 * block, a comment or a line.
 */
#ifndef CO_TEXT_MARKDOWN_ENTRIES_H
#define CO_TEXT_MARKDOWN_ENTRIES_H

#include "base/base.h"
#include "base/buf.h"

enum markdown_entry_kind {
	MARKDOWN_ENTRY_HEADING,
	MARKDOWN_ENTRY_ITEM,
	MARKDOWN_ENTRY_TEXT
};

#define MARKDOWN_ENTRY_NONE SIZE_MAX

struct markdown_entry {
	enum markdown_entry_kind kind;
	int level;	   /* of a heading, from 1 */
	const char *title; /* of a heading, in the text */
	size_t title_len;
	size_t start; /* its bytes in the text, without blanks around */
	size_t len;
	size_t line; /* that it begins on, from 0 */
	size_t heading; /* the entry that it stands under, or MARKDOWN_ENTRY_NONE */
	bool apart;	/* a blank line stands before it */
	bool has_parts; /* a heading that entries stand under */
	char fence;	/* '`' or '~' where its last fenced block never ends */
	size_t fence_len;
};

/* Release items with free(). */
struct markdown_entries {
	struct markdown_entry *items; /* in the order of the text */
	size_t n, cap;
};

/* Split the LEN bytes of P, which have no \r.  Cannot fail; linear. */
void markdown_entries_split(struct markdown_entries *list, const char *p,
			    size_t len);

/* Append E, of the text P, with a line that ends its fenced block where it has
 * none of its own, and without a newline. */
void markdown_entries_add(struct buf *out, const struct markdown_entry *e,
			  const char *p);

/* The bytes that markdown_entries_add() appends. */
size_t markdown_entries_size(const struct markdown_entry *e);

#endif
