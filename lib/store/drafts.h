/* drafts.h: what waits for a person's yes.
 *
 * A draft is a memory in the folder of drafts: no search finds it.  Accepted,
 * it becomes a memory; rejected, it goes to trash, and an undo makes it a draft
 * again.  It stands in one place at any instant.
 *
 * Its id is provisional: the next one is taken where a memory has it by then.
 * `replaces: ID`, or a list of ids, in its frontmatter names the memories that go
 * to trash when it is accepted.
 */
#ifndef CO_STORE_DRAFTS_H
#define CO_STORE_DRAFTS_H

#include "store/store.h"

/* Finish what an acceptance that was killed began, as every change does by
 * itself: for those who would show both memories. */
int drafts_settle(struct store *s, struct err *e);

/* Make the draft at PATH, as store_locate() gives it, a memory, durably, if it
 * still is WAS (NULL: whatever it is).  R, the memory, lives in A, as does
 * *REPLACED: the paths that the memories it replaced had, one a line, NULL for
 * none.
 * -1: ERR_NO, it is gone; ERR_BUSY, it is not WAS; ERR_DATA, it is no valid
 * memory, holds a secret, or the id that it replaces stands twice. */
int drafts_accept(struct store *s, const char *path, const struct buf *was,
		  struct arena *a, struct record *r, const char **replaced,
		  struct err *e);

/* What else a draft may become, in the folders above this one. */
struct drafts_kind {
	bool (*is)(const struct record *r);
	/* Make R, a draft, that, durably: R's path is then where it stands.  The
	 * lock is ours.  Done twice, it is there once.  0 or -1. */
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

/* Take back what drafts_accept() did: the memory at PATH, if it still is WAS, is
 * a draft again, R,
 * and what stood at REPLACED, unless that is NULL, a memory.  -1 as
 * drafts_accept(). */
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

/* How many memories the draft TEXT wants to replace, at most REPLACEMENT_MAX:
 * *IDS, in A. */
size_t drafts_replaces(const char *text, size_t len, struct arena *a,
		       const int64_t **ids);

#endif
