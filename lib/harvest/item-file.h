/* item-file.h: the format of the files that hold items.
 *
 *	# Facts
 *
 *	- TEXT [from: CONVERSATION, 2026-02-09]
 *
 * An item is a line that begins with "- ", and the lines below it that begin
 * with two spaces or a tab. The brackets at its end name its source; people
 * may write items without. Everything else in a file is the user's: adding or
 * removing items changes no other byte.
 *
 * In tasks.md, the heading "## Done" begins the done tasks. Any other heading
 * of level 1 or 2 begins the open tasks.
 */
#ifndef CO_HARVEST_ITEM_FILE_H
#define CO_HARVEST_ITEM_FILE_H

#include "base/arena.h"
#include "base/buf.h"
#include "harvest/category.h"

/* The largest file that is read, and the largest that additions may create. */
#define ITEM_FILE_MAX ((size_t)16 * 1024 * 1024)
#define ITEM_FILE_GROWN ((size_t)1024 * 1024)

#define ITEM_DAY 11 /* bytes of 2026-02-09 and NUL */

/* The byte range of an item, including line ends. */
struct item_span {
	size_t start, end;
	bool done; /* it is below "## Done" */
};

/* An iteration over the items of a file. Zero it, then set P and LEN. */
struct item_walk {
	const char *p;
	size_t len;
	size_t at;
	bool begun, done;
};

/* Set S to the next item. Returns false at the end. */
bool item_walk_next(struct item_walk *w, struct item_span *s);

struct item {
	const char *text; /* one line, NUL-terminated; may contain NULs */
	size_t len;
	const char *from, *date; /* NULL if the item has none */
};

/* Read the item at S of the file P. Returns false if it has no text. The
 * strings of IT are allocated in A. */
bool item_read(struct item *it, const char *p, const struct item_span *s,
	       struct arena *a);

/* Append FROM, the name of a conversation, in a form that is valid in the
 * brackets of an item: brackets become parentheses, and it is cut if long. */
void item_clean_from(struct buf *out, const char *from);

/* Append the line "- TEXT [from: FROM, DATE]". TEXT and FROM must be clean;
 * then item_read() returns them unchanged. */
void item_add(struct buf *out, const char *text, size_t len, const char *from,
	      const char *date);

/* Append the LEN bytes of P, an item of a file, with line ends of \n. */
void item_add_raw(struct buf *out, const char *p, size_t len);

/* Append the LEN bytes of P as the text of an item: on one line, without
 * surrounding blanks, with controls and hidden characters made visible. */
void item_clean(struct buf *out, const char *p, size_t len);

/* Append the file TEXT with LINES (whole lines, ending in \n) inserted after
 * the last item. In tasks.md, insert after the last item that is DONE or open.
 * A blank TEXT becomes a new file of category C first. */
void item_file_add(struct buf *out, const struct buf *text, enum category c,
		   bool done, const struct buf *lines);

/* Append the file TEXT with the LEN bytes of LINES inserted at offset AT. */
void item_file_insert(struct buf *out, const struct buf *text, size_t at,
		      const char *lines, size_t len);

/* Append the file TEXT without the bytes of S. */
void item_file_cut(struct buf *out, const struct buf *text,
		   const struct item_span *s);

/* Return the offset of the first byte after the frontmatter of a file. */
size_t item_file_body(const char *p, size_t len);

#endif
