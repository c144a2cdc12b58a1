/* tree-markdown.h: a tree as Markdown.
 *
 * CommonMark with pipe tables: headings with marks, lists in one another by four
 * blanks, fenced code with every byte of it and its language, quotes, links and
 * pictures.  What would mean something in Markdown, and is text, is escaped.
 */
#ifndef CO_EXTRACT_TREE_MARKDOWN_H
#define CO_EXTRACT_TREE_MARKDOWN_H

#include "extract/tree.h"

/* Append what stands below ROOT, elements as HTML has them; references are made
 * absolute by BASE, or NULL.  A is for what is needed meanwhile.  ERR_SYSTEM: it
 * is longer than MAX bytes. */
int tree_markdown_add(struct buf *out, const struct tree_node *root,
		      const char *base, size_t max, struct arena *a,
		      struct err *e);

/* 0 if a text of LEN bytes, of MAX at most, is no longer; else ERR_SYSTEM. */
int tree_markdown_check(size_t len, size_t max, struct err *e);

#endif
