/* store.h: the memories of one root: opening, reading, finding.
 *
 * Reading takes no lock: a memory is complete or absent.  What changes the
 * store (see save.h and trash.h) holds the lock of `knowledge/` from the first
 * look to the last sync.  repo/layout.h says where what stands.
 */
#ifndef CO_STORE_STORE_H
#define CO_STORE_STORE_H

#include "repo/known-projects.h"
#include "store/handle.h"
#include "repo/record.h"

#define STORE_FILE_MAX LAYOUT_FILE_MAX

/* Open the store of SCOPE; an absent one reads as empty.  Release with
 * store_close(). */
int store_open(struct store *s, enum scope scope, const struct report *r,
	       struct err *e);
void store_close(struct store *s);

/* Open that of the project that P names: 1, 0 and nothing is open where it cannot
 * be asked (see repo/known-projects.h), -1. */
int store_open_known(struct store *s, struct known_project *p,
		     const struct report *r, struct err *e);

/* Open that of the project in FOLDER, an absolute path: 1, 0 where there is none,
 * -1. */
int store_open_at(struct store *s, const char *folder, const struct report *r,
		  struct err *e);

/* Close S but for its cache, which is given to the same S once it is open again;
 * where it is not, cache_close() releases it. */
struct cache *store_take_cache(struct store *s);
void store_put_cache(struct store *s, struct cache *c);

/* Make what a writer needs (root, knowledge/) where it is absent, as every
 * change does by itself; *MADE tells whether the root was made since S was
 * opened, so that the command can say so. */
int store_make(struct store *s, bool *made, struct err *e);

/* Take the lock for one change, and give it back.  A change may hold others.
 * The store is made where it is absent. */
int store_lock(struct store *s, struct err *e);
void store_unlock(struct store *s);

/* From now on the lock is kept from one change to the next, so that ids are
 * counted once and not once a memory; others get their turn every half second.
 * store_rest() gives it back for now, as must be done before a wait. */
void store_batch(struct store *s);
void store_rest(struct store *s);

/* From now on S takes what looks like a secret, if ALLOW is set. */
void store_allow_secret(struct store *s, bool allow);

/* From now on S replaces and removes only a file of which SUM, or NULL, is the
 * SHA-256 in hex: see operation_expected(). */
void store_expect(struct store *s, const char *sum);

/* Call FN for each memory of AREA (not AREA_ANY), or each article, in no order.
 * The record is FN's until it returns; record_copy() keeps it.  Broken files go
 * to the report, and the rest goes on.  Nonzero from FN ends the scan and is
 * returned.  -1: the folder cannot be read. */
typedef int store_fn(void *ctx, const struct record *r);
int store_each(struct store *s, enum area area, store_fn *fn, void *ctx,
	       struct err *e);

/* The same for those alone of which TEST says 1; -1 from it is returned.
 * Several threads may ask it at once. */
int store_each_wanted(struct store *s, enum area area, record_test_fn *test,
		      store_fn *fn, void *ctx, struct err *e);

/* store_each(), but -1 too when the system does not let a file be read: for
 * those who would take it for absent. */
int store_each_strict(struct store *s, enum area area, store_fn *fn, void *ctx,
		      struct err *e);

/* Report the memories of the cache C that are not what they should be, as
 * store_each() does.  1, with nothing said, where one of them is by now, so
 * that the refresh is to be done again; with LAST set, that is said of it, for
 * who has done so often enough. */
int store_report_broken(struct store *s, struct cache *c, bool last,
			struct err *e);

/* Report the articles that no search can read, for those who search memories
 * alone: 0 or -1. */
int store_report_articles(struct store *s, struct err *e);

/* How many files of memories stand in AREA, broken ones included: 0 or -1. */
int store_count(struct store *s, enum area area, size_t *n, struct err *e);

/* Several memories. */
struct records {
	struct record *items; /* in an arena */
	size_t n;
};

/* The marks of a memory of S with the keys K, AT some time or, for NULL, now; of the
 * user's, whether it is about languages that this project has not.  Several threads
 * may ask. */
unsigned store_marks(const struct store *s, const struct record_keys *k,
		     const struct instant *at);

/* True if S is a team's (see repo/format-number.h). */
bool store_is_team(struct store *s);

/* The folder, below knowledge/, in which a memory with ID is to stand in S; in
 * A. */
const char *store_folder(struct store *s, int64_t id, struct arena *a);

/* The id that the next save would take: above every id in memories, drafts,
 * trash, archive and among the purged; read from frontmatter, and from the name's
 * prefix where that is unreadable.  ERR_SYSTEM: none is left.  Of a team, one that
 * is free (see ids_draw()): the next save takes another. */
int store_next_id(struct store *s, int64_t *id, struct err *e);

/* Find the file that OPERAND names in AREA: digits are an id, which no article
 * has, anything else the path of a file that must lie in this store.  Returns 1
 * (*PATH lives in A, absolute), 0, or -1: ERR_DATA when the id stands twice
 * (both paths are named); ERR_USAGE for a path outside the store.  The file may
 * be broken.  A memory that says that it was replaced is taken for one of
 * AREA_ARCHIVE, wherever it lies.  Of memories, an id that nothing has now is that of
 * the one that is `formerly` it, and the report is told. */
int store_locate(struct store *s, enum area area, const char *operand,
		 struct arena *a, const char **path, struct err *e);

/* The same, and read it: ERR_DATA too where the file is broken; R lives in
 * A. */
int store_find(struct store *s, enum area area, const char *operand,
	       struct arena *a, struct record *r, struct err *e);

/* Read the memory or article at PATH, as store_locate() gives it: 1, 0 when it
 * is gone, -1. */
int store_read(struct store *s, const char *path, struct arena *a,
	       struct record *r, struct err *e);

/* record_find_key() for R, which S has; its file is read where only that can
 * tell.  -1: it cannot be. */
int store_find_key(struct store *s, const struct record *r, const char *key,
		   struct arena *a, struct value *out);

/* True if OPERAND is an id (digits alone); *ID gets it, 0 if it is out of
 * range. */
bool store_is_id(const char *operand, int64_t *id);

/* True if OPERAND is a g and digits, as text shows the ids of the user's store;
 * *ID as above.  The user's store takes these for ids, the project's does
 * not. */
bool store_is_global_id(const char *operand, int64_t *id);

/* The id of the memory that has replaced the one at PATH, which lies in the archive
 * or among the memories of S; 0 where its file does not say. */
int64_t store_replaced_by(struct store *s, const char *path);

/* True if the memory at PATH says that it was replaced: 1, 0 where it does not, is
 * broken or is gone; -1 where the system refuses to let it be read. */
int store_is_replaced(struct store *s, const char *path, struct err *e);

/* Fill E with ERR_NO: S has no memory OPERAND, an id, but its archive or the other
 * store may.  Always -1. */
int store_absent(struct store *s, const char *operand, struct err *e);

/* Find a memory whose stripped body equals CONTENT: 1 (R lives in A), 0, -1,
 * also when the system does not let one be read. */
int store_find_equal(struct store *s, const char *content, size_t len,
		     struct arena *a, struct record *r, struct err *e);

#endif
