/* item-lines.h: items as JSON, one object a line.
 *
 *	{"category":"facts","text":"...","from":"chat-7","date":"2026-02-09"}
 *
 * "path" is the file that a note is about, "done":true a task that is.
 */
#ifndef CO_HARVEST_ITEM_LINES_H
#define CO_HARVEST_ITEM_LINES_H

#include "format/value.h"
#include "harvest/items.h"
#include "store/store.h"

/* Append ENTRY as such an object, without a newline. */
void item_lines_write(struct buf *out, const struct items_entry *entry);

/* Those that are to be added to a store; a zeroed one with STORE is valid. */
struct item_lines {
	struct store *store;
	bool drafts; /* they become drafts, see item-drafts.h */
	size_t added, known, refused; /* so far */

	struct arena arena; /* what waits */
	struct reply_item *items;
	size_t n;
	const char *from, *date;
};

/* True if V is such an object. */
bool item_lines_is(const struct value *v);

/* Add V, which is one, with the next of the same conversation and day at the
 * latest by item_lines_flush().  -1: as add_items(); what looks like a secret is
 * reported by the store. */
int item_lines_add(struct item_lines *l, const struct value *v, struct err *e);
int item_lines_flush(struct item_lines *l, struct err *e);

#endif
