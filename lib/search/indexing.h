/* indexing.h: add documents to an index.
 *
 * All threads split documents into terms, a batch at a time, while the caller's
 * thread inserts the batch before into the database, in order. The contents of
 * the database do not depend on the number of threads.
 */
#ifndef CO_SEARCH_INDEXING_H
#define CO_SEARCH_INDEXING_H

#include "base/parallel.h"
#include "cache/cache.h"
#include "search/fts.h"

#define INDEXING_MOST 256 /* documents in a batch */

/* The fields are private. */
struct indexing {
	struct fts *db;
	struct err *e;
	struct indexing_batch {
		struct view_doc docs[INDEXING_MOST];
		struct fts_made made[INDEXING_MOST];
		size_t n, most; /* now, and at most so far */
		size_t bytes;	/* of text */
	} * batches;		/* one being filled, and the one before */
	unsigned now;		/* index of the batch being filled */
	struct terms terms[PARALLEL_MAX];
	struct indexing_tags {
		const char **items;
		size_t cap;
	} tags[PARALLEL_MAX];
	struct buf words[PARALLEL_MAX]; /* of an article */
};

/* Start adding to DB. E gets the errors of all later calls. */
void indexing_begin(struct indexing *x, struct fts *db, struct err *e);

/* Add D; its strings must stay valid until the end. Return 0 or -1. */
int indexing_add(struct indexing *x, const struct view_doc *d);

/* Insert the remaining documents. Return 0 or -1. */
int indexing_finish(struct indexing *x);

void indexing_release(struct indexing *x);

#endif
