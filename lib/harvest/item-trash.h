/* item-trash.h: move items to the trash, and restore them.
 *
 * Each removal is a directory in the trash with one file per item:
 *
 *	facts.md             the file it was in, below knowledge/
 *	123                  its offset in bytes
 *	done                 or "open"
 *	- the line before it
 *	- the item, byte for byte
 *
 * An item is saved in the trash before it is removed. After a kill in between
 * it is in both places, and an undo leaves one.
 */
#ifndef CO_HARVEST_ITEM_TRASH_H
#define CO_HARVEST_ITEM_TRASH_H

#include "harvest/item-file.h"
#include "store/store.h"

/* Called for each item: with its path in the trash when it was removed, with
 * its text when it was restored. */
typedef void item_trash_fn(void *ctx, const char *what);

/* Move the items of category C whose text or whole line equals TEXT to the
 * trash, as one removal. Returns how many, or -1. */
int item_trash_remove(struct store *s, enum category c, const char *text,
		      item_trash_fn *fn, void *ctx, struct err *e);

/* Restore the items of the newest removal made on this machine. Returns how
 * many; 0 if that removal has no items or there is none; or -1. */
int item_trash_undo(struct store *s, item_trash_fn *fn, void *ctx,
		    struct err *e);

#endif
