/* results.h: collect the results of a search, all or the best ones, in little memory.
 *
 * A hit takes 40 bytes. A record that the cache has is not copied; the hit refers to
 * it. A record that was read from a file is packed into a spool, which may be on disk
 * (see base/spool.h). So a search may match all memories of a large store.
 */
#ifndef CO_STORE_RESULTS_H
#define CO_STORE_RESULTS_H

#include "base/spool.h"
#include "store/store.h"

/* Orders. The ids, stores and names break ties, as the comparisons in repo/record.h
 * do. */
enum results_order {
	RESULTS_AS_ADDED,
	RESULTS_BY_ID,
	RESULTS_BY_CREATED,
	RESULTS_NEWEST, /* those with more words first, then the newest */
};

struct result {
	int64_t sec;
	int32_t nsec;
	int32_t id;
	const char *name; /* path below knowledge/, or absolute; part of the
			   * cache or of the packed record */
	const struct catalog_entry *entry; /* NULL: packed */
	float score;
	union {
		uint16_t words;	   /* of the query, for RESULTS_NEWEST */
		uint16_t coverage; /* of a ranked hit, in 10000ths */
	};
	unsigned store : 11; /* index */
	unsigned global : 1, other : 1, ranked : 1, partial : 1;
	unsigned literal : 1; /* adds RESULTS_LITERAL to its score */
};

#define RESULTS_LITERAL 2.0 /* above any sum of signals */

/* Set order, max and whole before the first hit; the rest is zero. */
struct results {
	enum results_order order;
	size_t max; /* number of best hits to keep; 0: all */
	bool whole; /* keep contents, not only summaries */

	struct result *items; /* in the order ORDER after results_sort() */
	size_t n, cap;
	size_t seen;	       /* by results_add(), kept or not */
	struct store **stores; /* that hits refer to by index */
	size_t nstores, stores_cap;
	struct spool packed;
};

/* Add the memory R of S if it is among the best. S may be NULL: R has an absolute path
 * then. EXTRA, unless it is NULL, has the fields of the hit that are not R's: words,
 * score and so on. R is copied if necessary; S must stay open while H is used. */
void results_add(struct results *h, struct store *s, const struct record *r,
		 const struct result *extra);

/* Add the memory with the document NUMBER in the cache of S, like results_add(). It
 * does not count as seen. */
void results_add_number(struct results *h, struct store *s, uint32_t number,
			const struct result *extra);

/* Add the hits of FROM, which is sorted, like results_add(). */
void results_take(struct results *h, const struct results *from);

/* Sort the hits in H's order; results_reorder() first changes it to ORDER. */
void results_sort(struct results *h);
void results_reorder(struct results *h, enum results_order order);

/* Set R to the record of HIT, borrowed from H and the cache or allocated in A. Unless
 * H is `whole`, the content may be cut to what a summary needs. */
void results_get(const struct results *h, const struct result *hit,
		 struct arena *a, struct record *r);

/* Return what people type before the id of HIT, as record_prefix() does. */
const char *results_prefix(const struct results *h, const struct result *hit);

/* Call FN for each pair of neighbours, in the order of ids, that have the same id in
 * the same store. Hits without an id are ignored. */
typedef void results_double_fn(void *ctx, const struct record *x,
			       const struct record *y);
void results_each_double(const struct results *h, results_double_fn *fn,
			 void *ctx);

/* Remove all hits. The stores stay. */
void results_clear(struct results *h);

void results_release(struct results *h);

#endif
