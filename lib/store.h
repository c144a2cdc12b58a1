/* store.h: the memories of one root: reading, saving, forgetting.
 *
 *	knowledge/memories/NNN-slug.md   what is remembered
 *	knowledge/drafts/NNN-slug.md     what waits for a person's yes
 *	knowledge/trash/TIMESTAMP-N/     one removal, whole
 *	knowledge/trash/purged/NNN       ids that must not come back
 *
 * Reading takes no lock: a memory is complete or absent.  What changes the
 * store holds the lock of `knowledge/` from the first look to the last sync.
 * Names that begin with a dot or do not end in `.md` are no memories.
 */
#ifndef CO_STORE_H
#define CO_STORE_H

#include "record.h"
#include "root.h"

#define STORE_FILE_MAX (1024 * 1024) /* bytes of one memory */

enum area { AREA_MEMORIES, AREA_DRAFTS, AREA_TRASH };

struct store {
	struct root root;
	int fd;			     /* knowledge/, -1 when absent */
	char *path;		     /* absolute path of knowledge/ */
	const struct report *report; /* gets what a sweep skips; may be NULL */
};

/* Open the store of SCOPE; an absent one reads as empty.  Release with
 * store_close(). */
int store_open(struct store *s, enum scope scope, const struct report *r,
	       struct err *e);
void store_close(struct store *s);

/* Make what a writer needs (root, knowledge/) where it is absent; *MADE tells
 * whether the root was made, so that the command can say so. */
int store_make(struct store *s, bool *made, struct err *e);

/* Call FN for each memory of AREA, in no order.  The record is FN's until it
 * returns; record_copy() keeps it.  Broken files go to the report, and the
 * rest goes on.  Nonzero from FN ends the sweep and is returned.  -1: the
 * folder cannot be read. */
typedef int store_fn(void *ctx, const struct record *r);
int store_each(struct store *s, enum area area, store_fn *fn, void *ctx,
	       struct err *e);

/* All memories of AREA that FILTER (NULL for all) says 1 to, copied to A.
 * FILTER may say -1 and fill *E to end with that. */
typedef int store_filter(void *ctx, const struct record *r, struct err *e);
struct records {
	struct record *items; /* in the arena */
	size_t n;
};
int store_collect(struct store *s, enum area area, store_filter *filter,
		  void *ctx, struct arena *a, struct records *out,
		  struct err *e);

/* The id that the next save would take: above every id in memories, drafts,
 * trash and among the purged; read from frontmatter, and from the name's
 * prefix where that is unreadable. */
int store_next_id(struct store *s, int64_t *id, struct err *e);

/* Find the memory that OPERAND names in AREA: digits are an id, anything else
 * the path of a file that must lie in this store.  Returns 1 (R lives in A),
 * 0, or -1: ERR_DATA when the id stands twice (both paths are named) or the
 * file is broken; ERR_USAGE for a path outside the store. */
int store_find(struct store *s, enum area area, const char *operand,
	       struct arena *a, struct record *r, struct err *e);

/* True if OPERAND is an id (digits alone); *ID gets it, 0 if it is out of
 * range. */
bool store_is_id(const char *operand, int64_t *id);

/* What a save needs to know. */
struct store_new {
	const char *content; /* stripped before it is written; not empty */
	size_t len;
	const char *const *tags; /* each 1 to 64 characters */
	size_t ntags;
	const char *source;   /* NULL means "user-told" */
	const char *created;  /* ISO 8601; NULL means now */
	const char *replaces; /* an id or path that goes to trash; or NULL */
	const struct value *extra; /* VALUE_MAP of free keys; or NULL */
	bool draft;
};

/* Save N durably; R lives in A.  ERR_DATA: empty content, a bad tag, date or
 * source; ERR_NO: `replaces` names nothing; ERR_BUSY; ERR_SYSTEM. */
int store_save(struct store *s, const struct store_new *n, struct arena *a,
	       struct record *r, struct err *e);

/* Find a memory whose stripped body equals CONTENT: 1 (R lives in A), 0, -1.*/
int store_find_equal(struct store *s, const char *content, size_t len,
		     struct arena *a, struct record *r, struct err *e);

/* Move the memories at the N PATHS (of records of this store, memories or
 * drafts) to one new folder of the trash; with PURGE delete them, from trash
 * too, leaving an empty marker for each id. */
int store_remove(struct store *s, const char *const *paths, size_t n,
		 bool purge, struct err *e);

/* Bring the memory at PATH, in the trash (or, as review does, in drafts), back
 * to memories; the next id is taken where its own is taken; R lives in A. */
int store_restore(struct store *s, const char *path, struct arena *a,
		  struct record *r, struct err *e);

/* Bring back the newest folder of the trash whole.  Returns 1 (OUT lives in
 * A), 0 when the trash is empty, -1. */
int store_undo(struct store *s, struct arena *a, struct records *out,
	       struct err *e);

/* Replace the text of the memory at PATH by TEXT, which must be a valid memory
 * with the same id, if it still equals WAS.  ERR_DATA: invalid; ERR_BUSY:
 * changed meanwhile. */
int store_replace(struct store *s, const char *path, const char *was,
		  size_t was_len, const char *text, size_t len, struct err *e);

#endif
