/* indexing.h: documents on their way into an index.
 *
 * They are cut into terms by all threads there are, some at a time, while the
 * caller's adds those before them to the database, in order: what it holds in
 * the end does not depend on how many there were.
 */
#ifndef CO_SEARCH_INDEXING_H
#define CO_SEARCH_INDEXING_H

#include "base/parallel.h"
#include "cache/cache.h"
#include "search/fts.h"

#define INDEXING_MOST 256 /* documents at a time */

/* Its fields are its own. */
struct indexing {
	struct fts *db;
	struct err *e;
	struct indexing_batch {
		struct view_doc docs[INDEXING_MOST];
		struct fts_made made[INDEXING_MOST];
		size_t n, most; /* now, and so far */
		size_t bytes;	/* of their texts */
	} * batches;		/* what is made, and what was made before it */
	unsigned now;		/* the one that is filled */
	struct terms terms[PARALLEL_MAX];
	struct indexing_tags {
		const char **items;
		size_t cap;
	} tags[PARALLEL_MAX];
	struct buf words[PARALLEL_MAX]; /* of an article */
};

/* X is for DB; E gets what goes wrong from now on. */
void indexing_begin(struct indexing *x, struct fts *db, struct err *e);

/* Add D, whose strings stay until the end.  0, -1. */
int indexing_add(struct indexing *x, const struct view_doc *d);

/* Add what waits.  0, -1. */
int indexing_finish(struct indexing *x);

void indexing_release(struct indexing *x);

#endif
