/* results.h: memories that were found, the best of them, by a few bytes each.
 *
 * A hit is 40 bytes.  What the cache has is not copied but found again by its
 * place; what was read from a file is packed and put aside (see base/spool.h).
 * So a search may find all there is and its memory does not follow what it
 * finds.
 */
#ifndef CO_STORE_RESULTS_H
#define CO_STORE_RESULTS_H

#include "base/spool.h"
#include "store/store.h"

/* Orders, ties as repo/record.h has them. */
enum results_order {
	RESULTS_AS_ADDED,
	RESULTS_BY_ID,
	RESULTS_BY_CREATED,
	RESULTS_NEWEST, /* those that hold more words first */
};

struct result {
	int64_t sec;
	int32_t nsec;
	int32_t id;
	const char *name; /* below knowledge/, or absolute; in the view, or
			   * packed */
	const struct catalog_entry *entry; /* NULL: packed */
	float score;
	union {
		uint16_t words;	   /* of the query, where they count */
		uint16_t coverage; /* of what is ranked, in 10000ths */
	};
	unsigned store : 11; /* index */
	unsigned global : 1, other : 1, ranked : 1, partial : 1;
	unsigned literal : 1; /* adds RESULTS_LITERAL to its score */
};

#define RESULTS_LITERAL 2.0 /* above any sum of signals */

/* Set order, max and whole before the first hit; the rest is zero. */
struct results {
	enum results_order order;
	size_t max; /* the best so many are kept; 0: all */
	bool whole; /* contents are wanted, not only summaries */

	struct result *items; /* in their order after results_sort() */
	size_t n, cap;
	size_t seen;	       /* by results_add(), kept or not */
	struct store **stores; /* NULL: of no store, but named by its path */
	size_t nstores, stores_cap;
	struct spool packed;
};

/* Add R, a memory of S (NULL: of any place), if it is among the best; EXTRA
 * (may be NULL) has what is not the record's: words, score and so on.  While
 * the store is open, what R is borrowed from may go. */
void results_add(struct results *h, struct store *s, const struct record *r,
		 const struct result *extra);

/* Add the document NUMBER of the view of S, a memory, in the same way. */
void results_add_number(struct results *h, struct store *s, uint32_t number,
			const struct result *extra);

/* Add what FROM, which is in its order, has, in the same way. */
void results_take(struct results *h, const struct results *from);

/* Put them in their order, or in ORDER from now on. */
void results_sort(struct results *h);
void results_reorder(struct results *h, enum results_order order);

/* The record of HIT, in A or borrowed: of the content at least what a summary
 * needs, with `whole` all. */
void results_get(const struct results *h, const struct result *hit,
		 struct arena *a, struct record *r);

/* Return what people type before the id of HIT, as record_prefix() does. */
const char *results_prefix(const struct results *h, const struct result *hit);

/* Call FN for each two in a row, by id, that have one id in one scope. */
typedef void results_double_fn(void *ctx, const struct record *x,
			       const struct record *y);
void results_each_double(const struct results *h, results_double_fn *fn,
			 void *ctx);

/* Forget what was found. */
void results_clear(struct results *h);

void results_release(struct results *h);

#endif
