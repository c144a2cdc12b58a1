/* rewrite.h: changing a file of items that people edit at the same time.
 *
 * They take no lock.  So a text takes the place of the one that it was made of,
 * and of no other; it is made again where that is not what stands there.
 */
#ifndef CO_HARVEST_REWRITE_H
#define CO_HARVEST_REWRITE_H

#include "store/store.h"

/* Make TEXT, which is empty, of WAS: 1, 0 if nothing is to be changed, -1.  It
 * is called again where WAS is no longer what stands there. */
typedef int rewrite_fn(void *ctx, const struct buf *was, struct buf *text,
		       struct err *e);

struct rewrite {
	struct store *store; /* whose lock is ours */
	const char *folder;  /* below knowledge/, "" for that */
	const char *name;
	rewrite_fn *fn;
	void *ctx;
	size_t max; /* bytes that it may grow to; 0: ITEM_FILE_GROWN */
};

/* Ask what would be written, and write nothing: as rewrite_file(). */
int rewrite_check(const struct rewrite *rw, struct err *e);

/* Replace the file durably, or make it: 1, 0 if nothing was to be changed, -1:
 * ERR_DATA, it is none, or waits for a merge; ERR_SYSTEM, it would grow too
 * large; ERR_BUSY, others do not stop writing it. */
int rewrite_file(const struct rewrite *rw, struct err *e);

#endif
