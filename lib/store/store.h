/* store.h: the memories of one root: opening, reading, finding.
 *
 * Reading takes no lock: a memory is complete or absent.  Whoever changes the store (see
 * save.h and trash.h) holds the lock of `knowledge/`.  repo/layout.h has the paths.
 */
#ifndef CO_STORE_STORE_H
#define CO_STORE_STORE_H

#include "store/handle.h"
#include "repo/record.h"

#define STORE_FILE_MAX LAYOUT_FILE_MAX

/* Open the store of SCOPE; an absent one reads as empty.  End with store_close(). */
int store_open(struct store *s, enum scope scope, const struct report *r,
	       struct err *e);
void store_close(struct store *s);

/* Open the store of the project P: 1, 0 if it cannot be searched (see
 * repo/known-projects.h), -1. */
int store_open_known(struct store *s, struct known_project *p,
		     const struct report *r, struct err *e);

/* Open the store of the project in FOLDER, an absolute path: 1, 0 if it has none, -1. */
int store_open_at(struct store *s, const char *folder, const struct report *r,
		  struct err *e);

/* Close S and return its cache, for store_put_cache() once S is open again, or for
 * cache_close(). */
struct cache *store_take_cache(struct store *s);
void store_put_cache(struct store *s, struct cache *c);

/* Create the directories that a writer needs (root, knowledge/), as each change does.
 * Set *MADE if the root was created since S was opened. */
int store_make(struct store *s, bool *made, struct err *e);

/* Take the lock for one change, and release it.  A change may hold others.  An absent
 * store is created. */
int store_lock(struct store *s, struct err *e);
void store_unlock(struct store *s);

/* Keep the lock from one change to the next, so that ids are read once; others get it
 * every half second.  Before you wait, release it with store_rest(). */
void store_batch(struct store *s);
void store_rest(struct store *s);

/* Let S save what looks like a secret, if ALLOW. */
void store_allow_secret(struct store *s, bool allow);

/* Let S replace and remove only a file whose SHA-256 in hex is SUM, unless NULL: see
 * operation_expected(). */
void store_expect(struct store *s, const char *sum);

/* Call FN for each memory of AREA (not AREA_ANY), or each article, in no order.  The
 * record is valid until FN returns; record_copy() keeps it.  Broken files are reported
 * and skipped.  A result of FN other than 0 ends the scan and is returned.  -1: the
 * directory cannot be read. */
typedef int store_fn(void *ctx, const struct record *r);
int store_each(struct store *s, enum area area, store_fn *fn, void *ctx,
	       struct err *e);

/* The same for records for which TEST returns 1; a -1 is returned.  Threads call TEST at
 * once. */
int store_each_wanted(struct store *s, enum area area, record_test_fn *test,
		      store_fn *fn, void *ctx, struct err *e);

/* store_each(), but -1 also if the system does not let a file be read: for callers that
 * would take it for absent. */
int store_each_strict(struct store *s, enum area area, store_fn *fn, void *ctx,
		      struct err *e);

/* Report the broken memories of the cache C, as store_each() does.  Return 1, and report
 * nothing, if one is whole by now, so that C must be refreshed again; if LAST, report
 * that instead. */
int store_report_broken(struct store *s, struct cache *c, bool last,
			struct err *e);

/* Report the articles that cannot be read: 0 or -1. */
int store_report_articles(struct store *s, struct err *e);

/* Count the files of memories in AREA, also broken ones: 0 or -1. */
int store_count(struct store *s, enum area area, size_t *n, struct err *e);

/* Return the marks at AT (NULL: now) of a memory of S with the keys K, also whether it
 * is about languages that the project lacks.  Threads may call this at once. */
unsigned store_marks(const struct store *s, const struct record_keys *k,
		     const struct instant *at);

/* Return true if S is a team's (see repo/format-number.h). */
bool store_is_team(struct store *s);

/* Return the directory, below knowledge/, of a new memory ID in S; in A. */
const char *store_folder(struct store *s, int64_t id, struct arena *a);

/* Set ID to that of the next save: above all ids in memories, drafts, trash, archive and
 * purged ones, read from frontmatter, else from file names.  ERR_SYSTEM: none is left.
 * In a team's store it is any free one (see ids_draw()), and the next save takes
 * another. */
int store_next_id(struct store *s, int64_t *id, struct err *e);

/* Find the file that OPERAND, an id or a path, names in AREA; it may be broken.  Return
 * 1 and its absolute *PATH in A, 0, or -1: ERR_DATA if two files have the id, ERR_USAGE
 * for a path outside the store.  A replaced memory counts as one of AREA_ARCHIVE,
 * wherever it is.  An id that no memory has now is that of the one that had it
 * (`formerly`); this is reported. */
int store_locate(struct store *s, enum area area, const char *operand,
		 struct arena *a, const char **path, struct err *e);

/* The same, and read it into R, in A; ERR_DATA also for a broken file. */
int store_find(struct store *s, enum area area, const char *operand,
	       struct arena *a, struct record *r, struct err *e);

/* Read the memory or article at PATH, from store_locate(): 1, 0 if it is gone, -1. */
int store_read(struct store *s, const char *path, struct arena *a,
	       struct record *r, struct err *e);

/* record_find_key() for R of S.  Reads its file if only that can tell; -1 on errors. */
int store_find_key(struct store *s, const struct record *r, const char *key,
		   struct arena *a, struct value *out);

/* Return true if R, a record of S, had the ID before a repair gave it another one. */
bool store_had_id(struct store *s, const struct record *r, int64_t id);

/* Return true if OPERAND is digits, and set *ID; to 0 if it is out of range. */
bool store_is_id(const char *operand, int64_t *id);

/* The same for an id of the user's store, g7, or of a named store, platform:7 (see
 * search/named-stores.h).  A project's store does not find these. */
bool store_is_global_id(const char *operand, int64_t *id);
bool store_is_named_id(const char *operand, int64_t *id);

/* Set in R that it is from S (may be NULL): project, elsewhere, prefix and marks. */
void store_set_origin(const struct store *s, struct record *r);

/* Return the id of the memory that replaced the one at PATH of S; 0 if its file does not
 * name it. */
int64_t store_replaced_by(struct store *s, const char *path);

/* Return 1 if the memory at PATH was replaced; 0 if not, or if it is broken or gone; -1
 * if the system does not let it be read. */
int store_is_replaced(struct store *s, const char *path, struct err *e);

/* Set E to ERR_NO: S has no memory OPERAND; say if its archive or the other store has.
 * Return -1. */
int store_absent(struct store *s, const char *operand, struct err *e);

#endif
