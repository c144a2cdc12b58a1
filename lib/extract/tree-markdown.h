/* tree-markdown.h: write a tree as Markdown.
 *
 * The output is CommonMark with pipe tables: headings with #, lists nested by
 * four blanks, fenced code with its language and every byte, quotes, links and
 * images.  Text that would become markup is escaped.
 */
#ifndef CO_EXTRACT_TREE_MARKDOWN_H
#define CO_EXTRACT_TREE_MARKDOWN_H

#include "extract/tree.h"

/* Return 0 if LEN is at most MAX, else -1, ERR_SYSTEM. */
int tree_markdown_check(size_t len, size_t max, struct err *e);

#endif
