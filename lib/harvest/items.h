/* items.h: the items of a store, as they stand. */
#ifndef CO_HARVEST_ITEMS_H
#define CO_HARVEST_ITEMS_H

#include "harvest/item-file.h"
#include "store/store.h"

struct items_entry {
	enum category category;
	bool done;	  /* a task that is */
	const char *path; /* that a note is about; else NULL */
	struct item item;
};

#define ITEMS_ALL ((1u << CATEGORIES) - 1)

/* Call FN for each item of the CATEGORIES (1u << CATEGORY_FACTS and so on) of S,
 * in the order of the files; what it gets is its until it returns.  Of an
 * unresolved merge it is our side, and that is reported, as is a file that
 * cannot be read.  Nonzero from FN ends the walk and is returned. */
typedef int items_fn(void *ctx, const struct items_entry *entry);
int items_each(struct store *s, unsigned categories, items_fn *fn, void *ctx,
	       struct err *e);

/* Read the file of category C (not CATEGORY_FILES) of S in the same way: 1, 0,
 * -1. */
int items_read(struct store *s, enum category c, struct buf *text,
	       struct err *e);

/* Move the N-th open task, from 1, to those that are
 * done: 1 (IT, in A, is the task), 0: there is none, -1. */
int items_finish(struct store *s, size_t n, struct arena *a, struct item *it,
		 struct err *e);

#endif
