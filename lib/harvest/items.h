/* items.h: read the items of a store, and finish a task. */
#ifndef CO_HARVEST_ITEMS_H
#define CO_HARVEST_ITEMS_H

#include "harvest/item-file.h"
#include "store/store.h"
#include "harvest/reply.h"

struct items_entry {
	enum category category;
	bool done;	  /* a task that is done */
	const char *path; /* the file that a note is about, or NULL */
	struct item item;
};

#define ITEMS_ALL ((1u << CATEGORIES) - 1)

/* Call FN for each item in the CATEGORIES (a set of bits, 1u << CATEGORY_FACTS
 * and so on) of S, in the order of the files.  ENTRY is valid until FN returns.
 * A nonzero result of FN stops the iteration and is returned.  For a file with
 * an unresolved merge, our side is read and the merge is reported.  An
 * unreadable file is reported and skipped. */
typedef int items_fn(void *ctx, const struct items_entry *entry);
int items_each(struct store *s, unsigned categories, items_fn *fn, void *ctx,
	       struct err *e);

/* Read the file of category C (not CATEGORY_FILES) of S into TEXT, as
 * items_each() reads it.  Returns 1, 0 if it is absent, or -1. */
int items_read(struct store *s, enum category c, struct buf *text,
	       struct err *e);

/* Move the open task number N (from 1) to the done tasks.  Returns 1 (IT is the
 * task, allocated in A), 0 if there is no such task, or -1. */
int items_finish(struct store *s, size_t n, struct arena *a, struct item *it,
		 struct err *e);

#endif
