/* items.h: read the items of a store, add some, and finish a task. */
#ifndef CO_HARVEST_ITEMS_H
#define CO_HARVEST_ITEMS_H

#include "harvest/item-file.h"
#include "harvest/reply.h"
#include "store/store.h"

struct items_entry {
	enum category category;
	bool done;	  /* a task that is done */
	const char *path; /* the file that a note is about, or NULL */
	struct item item;
};

#define ITEMS_ALL ((1u << CATEGORIES) - 1)

/* Call FN for each item in the CATEGORIES (a set of bits, 1u << CATEGORY_FACTS
 * and so on) of S, in the order of the files. ENTRY is valid until FN returns.
 * A nonzero result of FN stops the iteration and is returned. For a file with
 * an unresolved merge, our side is read and the merge is reported. An
 * unreadable file is reported and skipped. */
typedef int items_fn(void *ctx, const struct items_entry *entry);
int items_each(struct store *s, unsigned categories, items_fn *fn, void *ctx,
	       struct err *e);

/* Read the file of category C (not CATEGORY_FILES) of S into TEXT, as
 * items_each() reads it. Returns 1, 0 if it is absent, or -1. */
int items_read(struct store *s, enum category c, struct buf *text,
	       struct err *e);

/* Move the open task number N (from 1) to the done tasks. Returns 1 (IT is the
 * task, allocated in A), 0 if there is no such task, or -1. */
int items_finish(struct store *s, size_t n, struct arena *a, struct item *it,
		 struct err *e);

#define ADD_MOST 50	     /* per category and conversation */
#define ADD_FROM "user-told" /* the source if none is given */

/* The number of items with each outcome, by reply_key. */
struct added {
	size_t added[REPLY_KEYS];
	size_t known[REPLY_KEYS];   /* the category already has this text */
	size_t refused[REPLY_KEYS]; /* looks like a secret; reported */
	size_t over[REPLY_KEYS];    /* exceeds ADD_MOST */
};

/* Add the items of R, a reply, durably to the files of their categories. All items are
 * checked before the first byte is written. An item that is already there is skipped, so
 * repeating an interrupted addition completes it.
 * FROM is the conversation (NULL: ADD_FROM) and
 * DATE its day, as 2026-02-09. Returns 0 or -1: ERR_DATA if FROM looks like a
 * secret or a file has an unresolved merge; ERR_SYSTEM; ERR_BUSY. */
int items_add(struct store *s, const struct reply *r, const char *from,
	      const char *date, struct added *added, struct err *e);

#endif
