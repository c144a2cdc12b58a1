/* index.h: the documents of a store and the terms they hold, up to date.
 *
 * knowledge.db stands beside the catalog of the cache (see cache/cache.h) and
 * holds the terms of its documents by number.  Opening an index first sees what
 * the files hold now; what the database lacks is then added to it, what is no
 * more is left out.  So an index is never stale, and deleting it costs only
 * time.
 *
 * Each page of the database has a checksum: a damaged database is made anew; so
 * is a foreign or a future one.  Where the folder cannot be written, or somebody
 * else is writing, what the database lacks is indexed in memory for as long as
 * the index is open.  A reader never fails, and never waits but for a database
 * that it cannot do without.
 */
#ifndef CO_SEARCH_INDEX_H
#define CO_SEARCH_INDEX_H

#include "cache/stamp.h"
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

	/* While it rests. */
	uint64_t changes;  /* of the cache, see cache_changes() */
	struct stamp left; /* of the database */
};

#define INDEX_REBUILD 1u /* make the database anew */

/* Open the index of S, whose cache stays open until index_close().  -1:
 * ERR_SYSTEM, a folder of the store cannot be read. */
int index_open(struct index *ix, struct store *s, unsigned flags,
	       struct err *e);
void index_close(struct index *ix);

/* Open the index as it was last left, without a look at any file, where there
 * are more than MOST: 1; 0, and it is closed.  What was written since is not
 * found, and what is found may be written otherwise by now. */
int index_open_known(struct index *ix, struct store *s, size_t most);

/* IX is not used for a while: what it knows stays open, and S of it may be
 * closed and opened again, at the same address and with the same cache (see
 * store_take_cache() in store/store.h).  index_renew() brings it up to date, as
 * index_open() does, but makes nothing of what is as it was. */
void index_rest(struct index *ix);
int index_renew(struct index *ix, struct store *s, struct err *e);

/* Do it again, after the view was found to be damaged. */
int index_reopen(struct index *ix, struct err *e);

/* The database gave WHY, which is damage: take what is needed into memory, and
 * have the database made anew by whoever is next. */
int index_distrust(struct index *ix, const struct err *why, struct err *e);

/* What the index of a store is worth, without bringing it up to date. */
enum index_state {
	INDEX_NONE,   /* there is no index */
	INDEX_FRESH,  /* it has all documents */
	INDEX_BEHIND, /* some are missing, which the next search adds */
	INDEX_DAMAGED /* or foreign: the next search makes it anew */
};

struct index_status {
	enum index_state state;
	size_t documents; /* that the files hold */
	size_t missing;	  /* of them, not in the index */
	size_t dead;	  /* in the index, and no more in the files */
	uint64_t bytes;	  /* of the index */
};

/* Look at the index of S, changing nothing.  What cannot be read counts as
 * none.  Cannot fail. */
void index_status(struct index_status *st, struct store *s);

/* Append ST in a few words, without a newline; and as a JSON object,
 * under KEY. */
void index_status_text(struct buf *out, const struct index_status *st);
void index_status_json(struct buf *out, const char *key,
		       const struct index_status *st);

#endif
