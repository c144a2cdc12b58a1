/* add.h: add the items of a reply to the files of their categories.
 *
 * All items are checked before the first byte is written.  An item that is
 * already there is skipped, so repeating an interrupted addition completes it.
 */
#ifndef CO_HARVEST_ADD_H
#define CO_HARVEST_ADD_H

#include "harvest/reply.h"
#include "store/store.h"

#define ADD_MOST 50	     /* per category and conversation */
#define ADD_FROM "user-told" /* the source if none is given */

/* The number of items with each outcome, by reply_key. */
struct added {
	size_t added[REPLY_KEYS];
	size_t known[REPLY_KEYS];   /* the category already has this text */
	size_t refused[REPLY_KEYS]; /* looks like a secret; reported */
	size_t over[REPLY_KEYS];    /* exceeds ADD_MOST */
};

/* Add the items of R durably.  FROM is the conversation (NULL: ADD_FROM) and
 * DATE its day, as 2026-02-09.  Returns 0 or -1: ERR_DATA if FROM looks like a
 * secret or a file has an unresolved merge; ERR_SYSTEM; ERR_BUSY. */
int add_items(struct store *s, const struct reply *r, const char *from,
	      const char *date, struct added *added, struct err *e);

#endif
