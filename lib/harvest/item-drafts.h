/* item-drafts.h: items saved as drafts, until a person accepts them.
 *
 *	---
 *	id: 12
 *	created: 2026-02-09T14:30:00Z
 *	tags: []
 *	source: claude/SESSION
 *	item: tasks_open
 *	date: "2026-02-09"
 *	---
 *	TEXT
 *
 * `item` is the list of the reply that it came from. A note about a file also
 * has its `path`. Accepting the draft adds a line to the category's file and
 * removes the draft.
 */
#ifndef CO_HARVEST_ITEM_DRAFTS_H
#define CO_HARVEST_ITEM_DRAFTS_H

#include "harvest/items.h"
#include "harvest/ledger.h"
#include "store/drafts.h"

/* Save the items of R from the conversation FROM (NULL: ADD_FROM) as drafts.
 * An item that already exists as an item, draft or memory, or in the trash, is
 * skipped. An item that looks like a secret is reported and skipped. ADDED
 * gets the counts. Returns 0, or -1 as save_memory() does, except for errors
 * of single items. */
int item_drafts_add(struct store *s, const struct reply *r, const char *from,
		    const char *date, struct added *added, struct err *e);

/* Call item_drafts_add(), then record the file at PATH, whose content has the
 * key KEY, as harvested in L. Adds the counts to ITEMS, by reply_key. */
int item_drafts_save(struct ledger *l, const struct reply *r, const char *from,
		     const char *date, const char *key, const char *path,
		     size_t *items, struct err *e);

/* Return true if the draft R is an item. */
bool item_drafts_is(const struct record *r);

/* The kind of these drafts, for drafts_convert(). Afterwards the record's path
 * is the category's file. */
extern const struct drafts_kind item_drafts;

#endif
