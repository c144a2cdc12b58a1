/* item-lines.h: items as JSON, one object per line.
 *
 *	{"category":"facts","text":"...","from":"chat-7","date":"2026-02-09"}
 *
 * A note also has the "path" of its file. A done task has "done":true.
 */
#ifndef CO_HARVEST_ITEM_LINES_H
#define CO_HARVEST_ITEM_LINES_H

#include "format/value.h"
#include "harvest/items.h"
#include "store/store.h"

/* Append ENTRY as a JSON object, without a newline. */
void item_lines_write(struct buf *out, const struct items_entry *entry);

/* A batch of items to add to a store. Zero it, then set STORE. */
struct item_lines {
	struct store *store;
	bool drafts;		      /* save as drafts, see item-drafts.h */
	size_t added, known, refused; /* totals so far */

	struct arena arena; /* of the items not yet added */
	struct reply_item *items;
	size_t n;
	const char *from, *date;
};

/* Return true if V is an item as described above. */
bool item_lines_is(const struct value *v);

/* Add the item V, or accept its draft if there is one. Items of one
 * conversation and day are collected and written together, at the latest by
 * item_lines_flush(). Returns 0, or -1 as items_add() does. Items that look
 * like a secret are reported by the store. */
int item_lines_add(struct item_lines *l, const struct value *v, struct err *e);
int item_lines_flush(struct item_lines *l, struct err *e);

#endif
