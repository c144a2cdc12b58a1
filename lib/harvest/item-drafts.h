/* item-drafts.h: items that wait for a person's yes, as drafts do.
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
 * `item` is what it was in the reply; a note on a file has its `path`.  Accepted,
 * it is a line of its category and no draft.
 */
#ifndef CO_HARVEST_ITEM_DRAFTS_H
#define CO_HARVEST_ITEM_DRAFTS_H

#include "harvest/add.h"
#include "harvest/ledger.h"
#include "store/drafts.h"

/* True if R, a draft, is an item. */
bool item_drafts_is(const struct record *r);

/* These, for drafts_convert(): the path is then that of the category's file. */
extern const struct drafts_kind item_drafts;

#endif
