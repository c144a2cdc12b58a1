/* view-records.h: the memories of a view (see view.h), one after the other. */
#ifndef CO_CACHE_VIEW_RECORDS_H
#define CO_CACHE_VIEW_RECORDS_H

#include "cache/cache.h"

/* Call FN (NULL: none is wanted) for each memory that TEST (NULL: all) says 1
 * of, in no order, and PLAIN for each file of theirs that is to be read to see
 * what it is, or to say what a merge left in it.  A crew may ask TEST about many, before FN gets the first.  The
 * record is FN's until it returns.  Nonzero from FN or PLAIN ends the walk and
 * is returned, as -1 from TEST is. */
typedef int view_record_fn(void *ctx, const struct record *r);
int view_each_record(struct cache *c, record_test_fn *test, view_record_fn *fn,
		     layout_fn *plain, void *ctx, struct err *e);

/* Call FN for each article and category file that no search can read, or that a
 * merge was left in. */
int view_each_amiss(struct cache *c, layout_fn *fn, void *ctx, struct err *e);

/* The same for the ids of files in the areas WHAT; PATH is borrowed. */
typedef int view_id_fn(void *ctx, int64_t id, const char *path);
int view_each_id(struct cache *c, unsigned what, view_id_fn *fn,
		 layout_fn *plain, void *ctx, struct err *e);

/* A memory of the view by its place there, which stands until the store is
 * closed, whatever is swept meanwhile. */
struct view_ref {
	const struct catalog_entry *entry;
	const char *name; /* its path below knowledge/ */
};

/* The place of R, which FN was given and still has, or of the document NUMBER:
 * false if there is none, as of what was read from a file. */
bool view_keep(struct cache *c, const struct record *r, struct view_ref *ref);
bool view_keep_number(struct cache *c, uint32_t number, struct view_ref *ref);

/* The memory at REF again, which was checked when it was handed out: borrowed
 * from the view, or in A. */
void view_kept_record(const struct cache *c, const struct view_ref *ref,
		      struct arena *a, struct record *r);

#endif
