/* tree-markdown.h: write a tree as Markdown.
 *
 * The output is CommonMark with pipe tables: headings with #, lists nested by
 * four blanks, fenced code with its language and every byte, quotes, links and
 * images.  Text that would become markup is escaped.
 */
#ifndef CO_EXTRACT_TREE_MARKDOWN_H
#define CO_EXTRACT_TREE_MARKDOWN_H

#include "extract/tree.h"

/* Append the contents of ROOT, a tree of HTML elements.  References are
 * resolved relative to BASE, which may be NULL.  Temporary data is allocated in
 * A.  ERR_SYSTEM if the result is longer than MAX bytes. */
int tree_markdown_add(struct buf *out, const struct tree_node *root,
		      const char *base, size_t max, struct arena *a,
		      struct err *e);

/* Return 0 if LEN is at most MAX, else -1, ERR_SYSTEM. */
int tree_markdown_check(size_t len, size_t max, struct err *e);

#endif
