/* index.h: the documents of a store and the terms they hold, up to date.
 *
 * knowledge.db stands beside the sidecar of the cache (see cache/cache.h) and
 * holds the terms of its documents by number.  Opening an index first sees what
 * the files hold now; what the database lacks is then added to it, what is no
 * more is left out.  So an index is never stale, and deleting it costs only
 * time.
 *
 * Each page of the database has a checksum: a damaged database is made anew; so
 * is a foreign or a future one.  Where the folder cannot be written, or somebody else is writing, what
 * the database lacks is indexed in memory for as long as the index is open.  A
 * reader never fails, and never waits but for a database that it cannot do
 * without.
 */
#ifndef CO_SEARCH_INDEX_H
#define CO_SEARCH_INDEX_H

#include "search/documents.h"
#include "search/fts.h"
#include "store/store.h"

/* How an index came to be up to date. */
struct index_news {
	size_t documents;  /* in the view of the files */
	size_t added;	   /* to the database */
	size_t dead;	   /* in it, and no more in the view */
	size_t memory;	   /* indexed in memory, for now */
	bool made;	   /* the database is new, all of it */
	char damage[128];  /* why it was made anew; "" if it was not there */
	char without[128]; /* why something is in memory; "" if nothing is */
};

/* Open to its parts for those who look at all documents; the rest asks
 * answer.h. */
struct index {
	struct store *store;
	struct cache *cache; /* the view; NULL: there is no store */
	struct index_news news;

	struct documents documents; /* that are there now */
	struct fts *db;		    /* NULL: there is none */
	struct fts *extra;	    /* what it lacks, in memory; mostly NULL */
	uint64_t total;		    /* of the sums of the database's pages */
};

#define INDEX_REBUILD 1u /* make the database anew */

/* Open the index of S, whose sweep it is until index_close().  -1: ERR_SYSTEM,
 * a folder of the store cannot be read. */
int index_open(struct index *ix, struct store *s, unsigned flags,
	       struct err *e);
void index_close(struct index *ix);

/* Do it again, after the view was found to be damaged. */
int index_reopen(struct index *ix, struct err *e);

/* Open what there is, and change nothing.  1: *MISSING documents are not in the
 * database, which has *BYTES; 0: there is no sidecar, and nothing to close. */
int index_peek(struct index *ix, struct store *s, size_t *missing,
	       uint64_t *bytes);

/* The database gave WHY, which is damage: take what is needed into memory, and
 * have the database made anew by whoever is next. */
int index_distrust(struct index *ix, const struct err *why, struct err *e);

#endif
