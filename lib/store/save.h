/* save.h: save new memories in a store, and edit memories and articles.
 *
 * The text is parsed before it is written, so every reader can show it.
 * Success means that the file and its name are on the disk. After a kill the store is
 * in its old or its new state, perhaps with a temporary file, which a later writer
 * removes.
 */
#ifndef CO_STORE_SAVE_H
#define CO_STORE_SAVE_H

#include "store/compose.h"
#include "store/duplicates.h"
#include "store/secret-gate.h"

/* Check N for secrets, and set D from it like compose_check(). Nothing is written.
 * Return 0, or -1 with ERR_DATA, or ERR_USAGE for a bad tag that was typed. */
int save_prepare(struct store *s, struct composed *d, const struct store_new *n,
		 struct arena *a, struct err *e);

/* Keep the lock like store_batch(), and sync a directory when the lock is released, not
 * for each file that is created or replaced in it. The caller must not report success
 * before save_sync() returns 0. It returns -1 if that sync or an earlier one failed. */
void save_unsynced(struct store *s);
int save_sync(struct store *s, struct err *e);

/* Save N durably, unless its `when` makes that needless. R, allocated in A, is then the
 * saved memory. Return 0; 1 if a known memory makes the save needless, and R is that; 2
 * if that memory now replaces the ones that N names; or -1:
 *
 *	ERR_DATA   the content is empty; a tag (or ERR_USAGE, see store_new), date or
 *		   source is invalid; there is a secret anywhere in N (see
 *		   secret-gate.h); or another text has the exact id
 *	ERR_NO	   a memory that N replaces does not exist
 *	ERR_USAGE  N replaces too many memories
 *	ERR_BUSY, ERR_SYSTEM
 */
int save_memory(struct store *s, const struct store_new *n, struct arena *a,
		struct record *r, struct err *e);

/* Return the path of a new memory or draft from the file NAME with ID, allocated in
 * A. It may exist already. The caller holds the lock. */
const char *save_path(struct store *s, bool draft, const char *name, int64_t id,
		      struct arena *a);

/* Check that the LEN bytes of TEXT, of the file PATH, are a valid memory, with ID
 * unless that is 0; or a valid article if PATH is in the articles. Return 0, or -1
 * with ERR_DATA. */
int save_check(struct store *s, const char *path, const char *text, size_t len,
	       int64_t id, struct err *e);

/* Read the file PATH of a memory or an article, which was found before, into OUT. Return
 * 1, or -1: ERR_NO, another program has removed it since; otherwise as
 * file_read_path(). */
int save_read(const char *path, struct buf *out, struct err *e);

/* A change of the memory or article at PATH. */
struct save_edit {
	const char *path;
	const struct buf *was;	/* its expected content; NULL: any, unless
				 * store_expect() wants a certain file */
	const struct buf *text; /* its new content, with the same id; or NULL */
	const char *keys;	/* if TEXT is NULL: a key, or several separated
				 * by `|`, ... */
	const struct value *value; /* ... that get this value; NULL: are
				    * removed */
	const char *trash; /* path in the trash to which WAS was copied; or
			    * NULL */
	bool by_person;	   /* TEXT may raise the trust of an external text */
};

/* Perform EDIT. R, unless it is NULL, is then the new memory or article, allocated in
 * A; EDIT must have TEXT then. With KEYS, all other bytes stay as they are. Return 1; 0
 * if nothing changes, but an EDIT with WAS and TEXT is always written; or -1: ERR_DATA,
 * the new content is invalid, has a secret that the old one does not have, or is no
 * longer external without BY_PERSON; ERR_BUSY, the file has other content than
 * expected. */
int save_edit(struct store *s, const struct save_edit *edit, struct arena *a,
	      struct record *r, struct err *e);

/* A memory to save is also read from JSON. The object has "content" and optionally
 * "tags", "source", "created" and free keys, which become free keys of the frontmatter.
 * A record (see co-json(5)) is such an object: the keys in its "frontmatter" are free
 * keys too, except tags, source and created, which are used where the object itself has
 * none. Its other fields (id, path, scope, summary, ...) are ignored, so records of one
 * store can be saved in another. The free key `read` is renamed to `was-read`. An exact
 * memory keeps its frontmatter and id. */

/* Set N from the JSON object in the LEN bytes of P, allocated in A. Fields that it
 * lacks stay as they are in N; its tags are put before those of N. N's free keys are
 * replaced. Return 0, or -1 with ERR_DATA; if the JSON is malformed, the message
 * begins with line and column, "1:7: ". */
int save_parse(struct store_new *n, const char *p, size_t len, struct arena *a,
	       struct err *e);

/* Set only the content and the exact frontmatter of N from the JSON record in the LEN
 * bytes of P, which must have both. Allocation and errors are as in save_parse(). */
int save_parse_exact(struct store_new *n, const char *p, size_t len,
		     struct arena *a, struct err *e);

/* Remove from N the keys with ids of the store that N came from, `supersedes` and so
 * on: in another store these ids belong to other memories. The remaining keys are
 * allocated in A. */
void save_drop_references(struct store_new *n, struct arena *a);

#endif
