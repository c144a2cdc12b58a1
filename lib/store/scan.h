/* scan.h: going through the memories of a store, by its cache or without.
 *
 * What is broken is reported, in order, and the rest goes on.
 */
#ifndef CO_STORE_SCAN_H
#define CO_STORE_SCAN_H

#include "store/handle.h"
#include "repo/record.h"
#include "store/complaints.h"

/* A zeroed one with STORE and FN set is ready for one run. */
struct scan {
	struct store *store;
	record_test_fn *test; /* what is not wanted is passed over; NULL: all
			       * are wanted */
	int (*fn)(void *ctx, const struct record *r);
	void *ctx;   /* of both */
	bool strict; /* what the system refuses ends the run */

	/* Its own. */
	struct buf text;
	struct arena arena;
	struct complaints complaints; /* in an order that folders do not tell */
	size_t files;
};

/* Call FN for each memory of AREA (not AREA_ANY) that TEST says 1 of; TEST is
 * asked by several threads, FN by one.  Nonzero from FN, or -1 from TEST, ends
 * the run and is returned.  -1: the folder cannot be read. */
int scan_run(struct scan *rd, enum area area, struct err *e);

/* The same for those alone that were broken when the cache C was swept. */
int scan_run_broken(struct scan *rd, struct cache *c, struct err *e);

/* The same of articles and category files alone. */
int scan_run_amiss(struct scan *rd, struct cache *c, struct err *e);

#endif
