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

/* Save the items of R, of the conversation FROM (NULL: ADD_FROM), as drafts, but
 * for those that are known: as an item, a draft, a memory or in the trash.  What
 * looks like a secret is reported and left out.  ADDED says what became of
 * them.  -1 as save_memory(), but for what is wrong with one alone. */
int item_drafts_add(struct store *s, const struct reply *r, const char *from,
		    const char *date, struct added *added, struct err *e);

/* The same; then note in L the file at PATH, whose content has KEY, as harvested.
 * ITEMS grows by how many there are of each. */
int item_drafts_save(struct ledger *l, const struct reply *r, const char *from,
		     const char *date, const char *key, const char *path,
		     size_t *items, struct err *e);

/* True if R, a draft, is an item. */
bool item_drafts_is(const struct record *r);

/* These, for drafts_convert(): the path is then that of the category's file. */
extern const struct drafts_kind item_drafts;

#endif
