/* scan.h: going through the memories of a store, by its cache or without.
 *
 * What is broken is reported, in order, and the rest goes on.
 */
#ifndef CO_STORE_SCAN_H
#define CO_STORE_SCAN_H

#include "store/handle.h"
#include "repo/record.h"

/* What was found broken. */
struct scan_complaint {
	const char *path, *text;
	enum err_code code;
};

/* A zeroed one with STORE and, to run it, FN set is ready for one run. */
struct scan {
	struct store *store;
	record_test_fn *test; /* what is not wanted is passed over; NULL: all
			       * are wanted */
	int (*fn)(void *ctx, const struct record *r);
	void *ctx;   /* of both */
	bool strict; /* what the system refuses ends the run */
	bool last;   /* see store_report_broken() */

	/* Its own. */
	struct buf text;
	struct arena arena;
	bool articles; /* are read, no memories */
	bool mended;   /* something was not what it should be, and is now */
	struct scan_complaint *complaints;
	size_t ncomplaints, capcomplaints;
	struct arena complained; /* of them */
	size_t files;
};

/* Call FN for each memory of AREA (not AREA_ANY) that TEST says 1 of; TEST is
 * asked by several threads, FN by one.  Nonzero from FN, or -1 from TEST, ends
 * the run and is returned.  -1: the folder cannot be read. */
int scan_run(struct scan *sc, enum area area, struct err *e);

/* Report all that was broken when the cache C was refreshed; see
 * store_report_broken(). */
int scan_run_broken(struct scan *sc, struct cache *c, struct err *e);

/* The same of articles and category files alone. */
int scan_run_amiss(struct scan *sc, struct cache *c, struct err *e);

#endif
