/* scan.h: call a function for each memory of a store, with its cache or without.
 *
 * Broken files are reported at the end, ordered by path, and do not end the scan.
 */
#ifndef CO_STORE_SCAN_H
#define CO_STORE_SCAN_H

#include "store/handle.h"
#include "repo/record.h"

/* The report about a broken file. */
struct scan_complaint {
	const char *path, *text;
	enum err_code code;
};

/* A scan. The caller zeroes it, sets STORE, for scan_run() also FN, and uses it for one
 * run. */
struct scan {
	struct store *store;
	record_test_fn *test; /* NULL: FN is called for all */
	int (*fn)(void *ctx, const struct record *r);
	void *ctx;   /* of TEST and FN */
	bool strict; /* fail if the system refuses to read a file */
	bool last;   /* see store_report_broken() */

	/* Private. */
	struct buf text;
	struct arena arena;
	bool articles; /* the files are articles */
	bool mended;   /* a file was broken in the cache and no longer is */
	struct scan_complaint *complaints;
	size_t ncomplaints, capcomplaints;
	struct arena complained; /* holds their strings */
	size_t files;
};

/* Call FN for each memory of AREA, which is not AREA_ANY, for which TEST returns 1.
 * Several threads call TEST at once; only the caller's thread calls FN. A nonzero
 * result of FN, or -1 of TEST, ends the run and is returned. Otherwise return 0, or
 * -1 if a directory cannot be read. */
int scan_run(struct scan *sc, enum area area, struct err *e);

/* Report all files that were broken when the cache C was refreshed. Return as
 * store_report_broken(). */
int scan_run_broken(struct scan *sc, struct cache *c, struct err *e);

/* Report only the articles and category files that were broken when the cache C was
 * refreshed. Return 0 or -1. */
int scan_run_amiss(struct scan *sc, struct cache *c, struct err *e);

#endif
