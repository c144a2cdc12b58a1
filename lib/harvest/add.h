/* add.h: putting what a conversation taught into the files of items.
 *
 * All of it is looked at before the first byte is written.  What stands there
 * already is left out, so that an addition that was killed is made whole by
 * doing it again.
 */
#ifndef CO_HARVEST_ADD_H
#define CO_HARVEST_ADD_H

#include "harvest/reply.h"
#include "store/store.h"

#define ADD_MOST 50	     /* of a category and a conversation */
#define ADD_FROM "user-told" /* where nobody says where it is from */

/* What became of it, by reply_key. */
struct added {
	size_t added[REPLY_KEYS];
	size_t known[REPLY_KEYS];   /* an equal text stands in the category */
	size_t refused[REPLY_KEYS]; /* looks like a secret; reported */
	size_t over[REPLY_KEYS];    /* more than ADD_MOST */
};

/* Add the items of R durably: FROM (NULL: ADD_FROM) is the conversation, DATE its
 * day, 2026-02-09.  -1: ERR_DATA, FROM looks like a secret, or a file waits for
 * a merge; ERR_SYSTEM; ERR_BUSY. */
int add_items(struct store *s, const struct reply *r, const char *from,
	      const char *date, struct added *added, struct err *e);

#endif
