/* store.h: open a store, the memories of one root, and find and read memories.
 *
 * Readers take no lock, since a file is always complete or absent. Writers (see save.h
 * and trash.h) hold the lock of `knowledge/`. repo/layout.h has the paths.
 *
 * Functions with an E return 0, or -1 with E set, unless their comment says more.
 * Results of functions with an A are allocated in it.
 */
#ifndef CO_STORE_STORE_H
#define CO_STORE_STORE_H

#include "store/handle.h"
#include "repo/record.h"

#define STORE_FILE_MAX LAYOUT_FILE_MAX

/* Open the store of SCOPE; an absent one reads as empty. End with store_close(). */
int store_open(struct store *s, enum scope scope, const struct report *r,
	       struct err *e);
void store_close(struct store *s);

/* Open the store of the project P, or of the one in FOLDER, an absolute path. Return 1;
 * 0 if there is none, or P cannot be searched (see repo/known-projects.h); or -1. */
int store_open_known(struct store *s, struct known_project *p,
		     const struct report *r, struct err *e);
int store_open_at(struct store *s, const char *folder, const struct report *r,
		  struct err *e);

/* Close S and return its cache, for store_put_cache() once S is open again, or for
 * cache_close(). */
struct cache *store_take_cache(struct store *s);
void store_put_cache(struct store *s, struct cache *c);

/* Create the directories that a writer needs (root, knowledge/), as each change does.
 * Set *MADE to whether S has created the root since it was opened. */
int store_make(struct store *s, bool *made, struct err *e);

/* Take the lock for one change, pass it by lock_pass(), and release it. Calls may be
 * nested. store_lock() also creates the store, and finishes changes of killed writers. */
int store_lock(struct store *s, struct err *e);
void store_unlock(struct store *s);
void store_pass_lock(struct store *s, bool pass);

/* Keep the lock from one change to the next, so ids are read once; others get it every
 * half second. Release it with store_rest() before you wait for something. */
void store_batch(struct store *s);
void store_rest(struct store *s);

/* Let S save text that looks like a secret, if ALLOW. */
void store_allow_secret(struct store *s, bool allow);

/* Let S replace and remove only a file whose SHA-256 in hex is SUM, or any if SUM is
 * NULL. SUM is borrowed. See operation_expected(). */
void store_expect(struct store *s, const char *sum);

/* Call FN for each memory of AREA (not AREA_ANY), or each article, in unspecified
 * order. The record is valid until FN returns; record_copy() copies it. Broken files
 * are reported and skipped. A nonzero result of FN ends the scan and is returned.
 * Return -1 if the directory cannot be read. */
typedef int store_fn(void *ctx, const struct record *r);
int store_each(struct store *s, enum area area, store_fn *fn, void *ctx,
	       struct err *e);

/* Call FN like store_each(), but only for records for which TEST returns 1. A -1 of
 * TEST ends the scan and is returned. Several threads call TEST at once. */
int store_each_wanted(struct store *s, enum area area, record_test_fn *test,
		      store_fn *fn, void *ctx, struct err *e);

/* Call FN like store_each(), but return -1 also if the system refuses to read a file:
 * for callers to which a skipped file would count as absent. */
int store_each_strict(struct store *s, enum area area, store_fn *fn, void *ctx,
		      struct err *e);

/* Report the broken memories of the cache C, as store_each() does. If one is readable
 * now, return 1 and report nothing: refresh C again. LAST: report that instead. */
int store_report_broken(struct store *s, struct cache *c, bool last,
			struct err *e);

/* Report the articles that cannot be read. */
int store_report_articles(struct store *s, struct err *e);

/* Set *N to the number of files of memories in AREA, also broken ones. */
int store_count(struct store *s, enum area area, size_t *n, struct err *e);

/* Return the marks at AT (NULL: now) of a memory of S with the keys K, also whether it
 * is about languages that the project lacks. Threads may call this at once. */
unsigned store_marks(const struct store *s, const struct record_keys *k,
		     const struct instant *at);

/* Return true if S is a team's (see repo/format-number.h). */
bool store_is_team(struct store *s);

/* Return the directory, below knowledge/, of a new memory ID in S. */
const char *store_folder(struct store *s, int64_t id, struct arena *a);

/* Set *ID to the id of the next save: that of ids_next(). In a team's store it is any
 * unused one (see ids_draw()), and the next save takes another. Return 0 or -1;
 * ERR_SYSTEM if no id is left. */
int store_next_id(struct store *s, int64_t *id, struct err *e);

/* Find the file that OPERAND, an id or a path, names in AREA; it may be broken. Return
 * 1 with its absolute *PATH; 0; or -1: ERR_DATA if two files have the id, ERR_USAGE for
 * a path outside the store or in another area. A replaced memory belongs to
 * AREA_ARCHIVE, in any directory. An unused id also matches the memory whose `formerly`
 * lists it; this is reported. */
int store_locate(struct store *s, enum area area, const char *operand,
		 struct arena *a, const char **path, struct err *e);

/* Find a file like store_locate(), and read it into R; ERR_DATA also if it is
 * broken. */
int store_find(struct store *s, enum area area, const char *operand,
	       struct arena *a, struct record *r, struct err *e);

/* Read the memory or article at PATH, from store_locate(), into R. A merge conflict in
 * it is reported. Return 1, 0 if it is gone, or -1. */
int store_read(struct store *s, const char *path, struct arena *a,
	       struct record *r, struct err *e);

/* Set *OUT to the value of KEY in R, a record of S, like record_find_key(), but read
 * the file of R if only that can tell. Return 1, 0 if it has no KEY, or -1. */
int store_find_key(struct store *s, const struct record *r, const char *key,
		   struct arena *a, struct value *out);

/* Return true if R, a record of S, had the ID before a repair gave it another one. */
bool store_had_id(struct store *s, const struct record *r, int64_t id);

/* Return true if OPERAND is digits, and set *ID; to 0 if it is out of range. */
bool store_is_id(const char *operand, int64_t *id);

/* Return true if OPERAND is an id of the user's store (g7), or of a named store (see
 * search/projects.h; platform:7), and set *ID. A project's store finds neither. */
bool store_is_global_id(const char *operand, int64_t *id);
bool store_is_named_id(const char *operand, int64_t *id);

/* Set project, elsewhere, prefix and marks of R from its store S, which may be NULL. */
void store_set_origin(const struct store *s, struct record *r);

/* Return the id that replaced the memory at PATH of S; 0 if its file has none. */
int64_t store_replaced_by(struct store *s, const char *path);

/* Return 1 if the memory at PATH was replaced and its file names the new one; 0 if not,
 * or if it is broken or gone; -1 if the system refuses to read it. */
int store_is_replaced(struct store *s, const char *path, struct err *e);

/* Set E to ERR_NO: S has no memory OPERAND. Say if it is in the archive, in the trash,
 * a draft, in the other store, or was moved to another one. Return -1. */
int store_absent(struct store *s, const char *operand, struct err *e);

#endif
