/* index.h: an up-to-date index of the documents of a store and their terms.
 *
 * knowledge.db, in the cache directory next to the catalog (see cache/cache.h),
 * has the terms of the documents by number. Opening an index first refreshes
 * the view of the files, then adds the missing documents to the database;
 * deleted ones are ignored. So an index is never stale, and deleting it costs
 * only time.
 *
 * Each page of the database has a checksum. A database that is damaged, foreign
 * or of a future version is made anew. If the directory cannot be written, or
 * another process is writing, the missing documents are indexed in memory while
 * the index is open. So reading never fails because of the index, and waits
 * only for a database that it cannot do without.
 */
#ifndef CO_SEARCH_INDEX_H
#define CO_SEARCH_INDEX_H

#include "search/documents.h"
#include "search/fts-file.h"
#include "store/store.h"

/* How the index was brought up to date. */
struct index_news {
	size_t documents;  /* in the view of the files */
	size_t added;	   /* to the database */
	size_t dead;	   /* in the database, no longer in the view */
	size_t memory;	   /* indexed in memory */
	bool made;	   /* the whole database is new */
	char damage[128];  /* why it was made anew; "" if it was absent */
	char without[128]; /* why documents are in memory; "" if none are */
};

/* The fields are open to modules that read all documents; others use
 * answer.h. */
struct index {
	struct store *store;
	struct cache *cache; /* the view; NULL: there is no store */
	struct index_news news;

	struct documents documents; /* in the view now */
	struct fts *db;		    /* NULL: none */
	struct fts *extra;	    /* documents missing in DB, in memory;
				     * usually NULL */
	uint64_t total;		    /* of the page checksums */

	/* From index_rest() to index_renew(): */
	uint64_t changes;      /* see cache_changes() */
	struct fts_stamp left; /* of the database */
};

#define INDEX_REBUILD 1u /* make the database anew */

/* Open the index of S; its cache stays open until index_close(). Return 0, or
 * -1 (ERR_SYSTEM) if a directory of the store cannot be read. */
int index_open(struct index *ix, struct store *s, unsigned flags,
	       struct err *e);
void index_close(struct index *ix);

/* Open the index in its last state without a look at any file, if it has more
 * than MOST entries. Return 1, or 0, with nothing to close. Files written since
 * are not found, and found ones may have changed. */
int index_open_known(struct index *ix, struct store *s, size_t most);

/* index_rest() ends the use of IX for a while. It stays open, and its store may
 * be closed and opened again at the same address with the same cache (see
 * store_take_cache() in store/store.h). index_renew() brings it up to date like
 * index_open(), but reuses what has not changed. Return 0, or -1 with IX
 * closed. */
void index_rest(struct index *ix);
int index_renew(struct index *ix, struct store *s, struct err *e);

/* Open the index again after the view was found damaged. Return 0 or -1. */
int index_reopen(struct index *ix, struct err *e);

/* Drop the database, which failed with the error WHY: index in memory, and let
 * the next process make it anew. Return 0 or -1. */
int index_distrust(struct index *ix, const struct err *why, struct err *e);

/* The state of a store's index. */
enum index_state {
	INDEX_NONE,   /* no index */
	INDEX_FRESH,  /* has all documents */
	INDEX_BEHIND, /* the next search will add some */
	INDEX_DAMAGED /* or foreign: the next search makes it anew */
};

struct index_status {
	enum index_state state;
	size_t documents; /* in the files */
	size_t missing;	  /* of these, not in the index */
	size_t dead;	  /* in the index only */
	uint64_t bytes;	  /* size of the database */
};

/* Set ST to the state of the index of S, without changing anything. An
 * unreadable one counts as none. */
void index_status(struct index_status *st, struct store *s);

/* Append ST in a few words without a newline, or as the JSON object "index". */
void index_status_text(struct buf *out, const struct index_status *st);
void index_status_json(struct buf *out, const struct index_status *st);

#endif
