/* save.h: save new memories in a store, and edit memories and articles.
 *
 * The text is read back before it is written, so every reader shows what is saved.
 * Success means that the file and its name are on the disk.  A process that is killed
 * leaves the store as before or as after, and perhaps a temporary file, which a later
 * writer removes.
 */
#ifndef CO_STORE_SAVE_H
#define CO_STORE_SAVE_H

#include "store/compose.h"

/* Set D from N, as compose_check() does, if there is no secret anywhere in it.  Writes
 * nothing.  Returns 0 or -1: ERR_DATA. */
int save_prepare(struct store *s, struct composed *d, const struct store_new *n,
		 struct arena *a, struct err *e);

/* Save N durably, unless N says otherwise.  R, allocated in A, is then the memory; or
 * the one that is known.  Returns 0; 1 if a known one made that needless; 2 if the
 * known one replaced what N replaces; or -1: ERR_DATA, empty content, a bad tag (or
 * ERR_USAGE, see store_new), date or source, a secret anywhere in it (see
 * secret-gate.h), or an exact id that another text has; ERR_NO, N replaces nothing;
 * ERR_BUSY; ERR_SYSTEM. */
int save_memory(struct store *s, const struct store_new *n, struct arena *a,
		struct record *r, struct err *e);

/* Return the path that a new memory gets from the file NAME with ID, if nothing has
 * that path, allocated in A.  The caller holds the lock. */
const char *save_path(struct store *s, bool draft, const char *name, int64_t id,
		      struct arena *a);

/* Return 0 if the LEN bytes of TEXT, of the file PATH, are a memory that every reader
 * shows, with ID unless that is 0; or if PATH is in the articles, an article.  Else -1
 * with ERR_DATA. */
int save_check(struct store *s, const char *path, const char *text, size_t len,
	       int64_t id, struct err *e);

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

/* Perform EDIT.  R, unless it is NULL, is then what the file is, allocated in A.  With
 * KEYS, no other byte changes.  Returns 1, 0 if it is so already, or -1: ERR_DATA,
 * invalid, or a secret that WAS does not have; ERR_BUSY, the file is another. */
int save_edit(struct store *s, const struct save_edit *edit, struct arena *a,
	      struct record *r, struct err *e);

#endif
