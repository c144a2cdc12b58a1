/* item-file.h: the form of the files that hold items.
 *
 *	# Facts
 *
 *	- TEXT [from: CONVERSATION, 2026-02-09]
 *
 * An item is a line that begins with "- ", and the lines below it that begin
 * with two blanks or a tab.  What stands in brackets at its end is where it
 * comes from; people write items without.  All else in a file is the user's:
 * no byte of it is changed by what is put in or taken out here.
 *
 * In tasks.md, "## Done" begins what is done; any other heading of the first
 * two levels begins what is open.
 */
#ifndef CO_HARVEST_ITEM_FILE_H
#define CO_HARVEST_ITEM_FILE_H

#include "base/arena.h"
#include "base/buf.h"
#include "harvest/category.h"

/* Bytes of a file that are read, and that one is let grow to. */
#define ITEM_FILE_MAX ((size_t)16 * 1024 * 1024)
#define ITEM_FILE_GROWN ((size_t)1024 * 1024)

#define ITEM_DAY 11 /* room for 2026-02-09 */

/* The bytes of an item, its line ends included. */
struct item_span {
	size_t start, end;
	bool done; /* it stands below "## Done" */
};

/* A zeroed one with P and LEN set goes through a file. */
struct item_walk {
	const char *p;
	size_t len;
	size_t at;
	bool begun, done;
};

/* The next item of the file: false at the end. */
bool item_walk_next(struct item_walk *w, struct item_span *s);

struct item {
	const char *text; /* on one line, NUL-terminated; may hold NULs */
	size_t len;
	const char *from, *date; /* NULL where it has none */
};

/* Read the item at S of the file P; false where it has no text.  IT lives in
 * A. */
bool item_read(struct item *it, const char *p, const struct item_span *s,
	       struct arena *a);

/* Append FROM, the name of a conversation, as an item can hold it: nothing in
 * it can be taken for the end of the text. */
void item_clean_from(struct buf *out, const char *from);

/* Append "- TEXT [from: FROM, DATE]" and a newline, of what is clean: item_read()
 * gives it back. */
void item_add(struct buf *out, const char *text, size_t len, const char *from,
	      const char *date);

/* Append the LEN bytes of P as the text of an item: on one line, without blanks
 * around, controls and hidden characters made visible. */
void item_clean(struct buf *out, const char *p, size_t len);

/* Append the file TEXT (blank: what a new one of category C begins with) with
 * LINES, whole lines that end in \n, behind the last item of its kind: in
 * tasks.md, of those that are DONE or not. */
void item_file_add(struct buf *out, const struct buf *text, enum category c,
		   bool done, const struct buf *lines);

/* Append the file TEXT with LINES at the offset AT, as they are. */
void item_file_insert(struct buf *out, const struct buf *text, size_t at,
		      const char *lines, size_t len);

/* Append the file TEXT without what stands at S. */
void item_file_cut(struct buf *out, const struct buf *text,
		   const struct item_span *s);

/* Where a file's items may begin: behind its frontmatter. */
size_t item_file_body(const char *p, size_t len);

#endif
