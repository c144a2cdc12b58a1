/* drafts.h: accept and reject drafts.
 *
 * A draft is a memory in the directory of drafts, where no search finds it.  An accepted
 * draft becomes a memory.  A rejected one goes to the trash, and an undo makes it a draft
 * again.
 *
 * Its id is provisional: if a memory has it when the draft is accepted, the draft gets
 * the next one.  `replaces: ID`, or a list of ids, in its frontmatter names the memories
 * that it replaces when it is accepted.
 */
#ifndef CO_STORE_DRAFTS_H
#define CO_STORE_DRAFTS_H

#include "store/store.h"

/* Finish what a killed writer began, as every change does first.  For a caller that
 * would otherwise show a draft and the memory that it became. */
int drafts_settle(struct store *s, struct err *e);

/* Make the draft at PATH, as store_locate() returns it, a memory, durably, if its
 * content is WAS, or WAS is NULL.  R is then the memory, and *REPLACED the paths of those
 * that it replaced, one a line, or NULL; both are allocated in A.  Returns 0 or -1:
 * ERR_NO, it is gone; ERR_BUSY, it is not WAS; ERR_DATA, it is no valid memory, holds a
 * secret, or two files have the id that it replaces. */
int drafts_accept(struct store *s, const char *path, const struct buf *was,
		  struct arena *a, struct record *r, const char **replaced,
		  struct err *e);

/* Let accepted drafts of S that have `read` stay external, if KEEP. */
void drafts_keep_trust(struct store *s, bool keep);

/* Another thing that a draft may become, in a directory above this one in lib/layers. */
struct drafts_kind {
	bool (*is)(const struct record *r);
	/* Make the draft R that, durably, and set R's path to the new one.  If it
	 * is called twice, the result exists once.  The caller holds the lock.
	 * Returns 0 or -1. */
	int (*keep)(struct store *s, struct record *r, struct arena *a,
		    struct err *e);
};

/* If the draft at PATH is one of KINDS, which NULL ends, and still WAS (NULL:
 * whatever it is), make it that, and then move the draft to the trash: killed in
 * between, the draft is there, to be accepted again.  1 (R, in A, is the draft,
 * but for its path), 0: it is none of them; -1 as drafts_accept(). */
int drafts_convert(struct store *s, const char *path, const struct buf *was,
		   const struct drafts_kind *const *kinds, struct arena *a,
		   struct record *r, struct err *e);

/* Take back what drafts_accept() did: make the memory at PATH, if its content is WAS, a
 * draft again, and bring back those at REPLACED, unless that is NULL.  R is then the
 * draft.  Returns as drafts_accept(). */
int drafts_withdraw(struct store *s, const char *path, const struct buf *was,
		    const char *replaced, struct arena *a, struct record *r,
		    struct err *e);

/* Find the draft that OPERAND, an id or a path, names: R is it, or its path alone
 * where it is no valid memory; in A.  -1: ERR_NO, as store_locate(), it cannot be
 * read, or ERR_BUSY where its text is not SHOWN, unless that is NULL. */
int drafts_find_same(struct store *s, const char *operand,
		     const struct buf *shown, struct arena *a, struct record *r,
		     struct err *e);

/* Move the drafts at the N PATHS to trash in one step; MOVED as
 * trash_remove(). */
int drafts_reject(struct store *s, const char *const *paths, size_t n,
		  struct arena *a, const char **moved, struct err *e);

/* A memory that a draft replaces when it is accepted. */
struct drafts_old {
	int64_t id;
	const char *created; /* NULL: unknown */
};

/* Set *OLD, allocated in A, to the memories that the draft TEXT replaces when it is
 * accepted. Return their number, at most REPLACEMENT_MAX. */
size_t drafts_replaces(const char *text, size_t len, struct arena *a,
		       const struct drafts_old **old);

/* Find the memory OLD by its id and its time of creation; a repair may have given it
 * another id since. A memory with its id and another time, as from another work tree or
 * clone, does not count. Return as store_locate(). */
int drafts_locate_old(struct store *s, const struct drafts_old *old,
		      struct arena *a, const char **path, struct err *e);

#endif
