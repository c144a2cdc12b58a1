/* save.h: putting memories into a store, and changing them.
 *
 * Whatever is accepted here is shown by every reader: the text is read back
 * before it is written.  Success means that the file and its name are on the
 * disk.  A process that is killed leaves the store as before or as after, and
 * at most a temporary file, which a later writer removes.
 */
#ifndef CO_STORE_SAVE_H
#define CO_STORE_SAVE_H

#include "store/compose.h"

/* Fill D from N, as compose_check() does, if there is no secret anywhere in it;
 * nothing is written.  ERR_DATA. */
int save_prepare(struct store *s, struct composed *d, const struct store_new *n,
		 struct arena *a, struct err *e);

/* Save N durably; R lives in A.  ERR_DATA: empty content, a bad tag (or
 * ERR_USAGE: see store_new), date or source, a secret anywhere in it (see secret-gate.h); ERR_NO: `replaces` names
 * nothing; ERR_BUSY; ERR_SYSTEM. */
int save_memory(struct store *s, const struct store_new *n, struct arena *a,
		struct record *r, struct err *e);

/* The same, unless a memory has the very content: then that one is R, and what
 * N replaces, if another, goes to the trash all the same.  Returns 0 when N was
 * saved, 1 when nothing was changed, 2 when one was replaced, -1. */
int save_new(struct store *s, const struct store_new *n, struct arena *a,
	     struct record *r, struct err *e);

/* The same where a memory, a draft or one in the trash has the same content,
 * upper and lower case and blanks aside; *WHERE is then its area. */
int save_unknown(struct store *s, const struct store_new *n, struct arena *a,
		 struct record *r, enum area *where, struct err *e);

/* Save N, which is exact, under its id.  Returns 0, or 1 where a memory, a
 * draft or what was replaced has that id and the same content: that is R, and
 * nothing is changed.  ERR_DATA too where the id is taken by another. */
int save_exact(struct store *s, const struct store_new *n, struct arena *a,
	       struct record *r, struct err *e);

/* Save the LEN bytes of TEXT, which are a file called NAME elsewhere, as they are
 * in AREA, memories or drafts: they have an id that is free, and the name has it
 * from now on.  The lock has been ours since the id was.  R lives in A.  ERR_DATA:
 * no memory, or a secret; ERR_SYSTEM. */
int save_file(struct store *s, enum area area, const char *name,
	      const char *text, size_t len, struct arena *a, struct record *r,
	      struct err *e);

/* Return the path that save_file() gives to the file NAME with ID, if nothing has that
 * path, allocated in A.  The caller holds the lock. */
const char *save_path(struct store *s, enum area area, const char *name,
		      int64_t id, struct arena *a);

/* 0 if the LEN bytes of TEXT, of the file PATH, are a memory that every reader
 * shows, with ID unless that is 0, or where an article stands, an article; else
 * -1 with ERR_DATA. */
int save_check(struct store *s, const char *path, const char *text, size_t len,
	       int64_t id, struct err *e);

/* Replace the text of the memory or article at PATH by TEXT, which must be one as
 * well, with the same id, if it still equals WAS.  ERR_DATA: invalid, or a secret
 * that WAS does not have; ERR_BUSY:
 * changed meanwhile. */
int save_replace(struct store *s, const char *path, const char *was,
		 size_t was_len, const char *text, size_t len, struct err *e);

/* The same of an article, of which a copy of WAS stands at TRASH, in the trash. */
int save_replace_kept(struct store *s, const char *path, const char *was,
		      size_t was_len, const char *trash, const char *text,
		      size_t len, struct err *e);

/* Replace it whatever it is, unless store_expect() wants another: 1, 0 where it
 * is the same to the byte, -1 as above; R, in A, is what it is now. */
int save_write(struct store *s, const char *path, const char *text, size_t len,
	       struct arena *a, struct record *r, struct err *e);

/* Set the top-level KEY of the memory at PATH, or each of several with `|` between
 * two, to V, or with NULL take it out, changing no other byte, unless
 * store_expect() wants another: 1, or 0 where that changes nothing.  -1 as
 * above. */
int save_key(struct store *s, const char *path, const char *key,
	     const struct value *v, struct err *e);

/* Append the text WAS of the memory at PATH with KEYS as V, as save_key(): 1; 0
 * where it is so already, and nothing is appended; -1. */
int save_with_keys(struct buf *out, const struct buf *was, const char *path,
		   const char *keys, const struct value *v, struct err *e);

#endif
