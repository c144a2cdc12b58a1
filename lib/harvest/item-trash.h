/* item-trash.h: items in the trash, and back.
 *
 * A removal of items is a folder of the trash that has a file for each:
 *
 *	facts.md             where it stood, below knowledge/
 *	123                  at which byte
 *	done                 or "open"
 *	- the line before it
 *	- the item, to the byte
 *
 * It is safe there before it is taken out; killed in between, it stands in both
 * places, and an undo leaves one.
 */
#ifndef CO_HARVEST_ITEM_TRASH_H
#define CO_HARVEST_ITEM_TRASH_H

#include "harvest/item-file.h"
#include "store/store.h"

/* Called for each item that was moved: with where it is in the trash, or back
 * with its text. */
typedef void item_trash_fn(void *ctx, const char *what);

/* Move the items of category C whose text, or whole line, is TEXT to the trash,
 * as one removal: how many they were, or -1. */
int item_trash_remove(struct store *s, enum category c, const char *text,
		      item_trash_fn *fn, void *ctx, struct err *e);

/* If the newest removal that was made here is one of items, bring them back: how
 * many they were; 0 if it is another, or there is none; -1. */
int item_trash_undo(struct store *s, item_trash_fn *fn, void *ctx,
		    struct err *e);

#endif
