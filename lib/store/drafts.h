/* drafts.h: accept and reject drafts.
 *
 * A draft is a memory in the directory of drafts, where no search finds it. An accepted
 * draft becomes a memory. A rejected one goes to the trash, and an undo makes it a
 * draft again.
 *
 * Its id is provisional: if a memory has it when the draft is accepted, the draft gets
 * the next one. `replaces: ID`, or a list of ids, in its frontmatter names the memories
 * that it replaces when it is accepted. `replaces-created` has the times at which these
 * were created, since in another work tree another memory may have the id.
 */
#ifndef CO_STORE_DRAFTS_H
#define CO_STORE_DRAFTS_H

#include "store/store.h"

/* Finish the change of a killed writer, if there is one. Each change does so first;
 * a reader calls this so that it does not show both a draft and the memory that it
 * became.
 * Return 0 or -1. */
int drafts_settle(struct store *s, struct err *e);

/* Make the draft at PATH, as store_locate() returns it, a memory, durably, if its
 * content is WAS, or WAS is NULL. R is then the memory, and *REPLACED the former
 * paths of the memories that it replaced, one per line, or NULL; both are allocated
 * in A. Return 0 or -1: ERR_NO, the draft is gone; ERR_BUSY, it is not WAS;
 * ERR_DATA, it is not a valid memory, contains a secret, or two files have an id that
 * it replaces; ERR_SYSTEM, also if it was accepted but cannot be read any more. */
int drafts_accept(struct store *s, const char *path, const struct buf *was,
		  struct arena *a, struct record *r, const char **replaced,
		  struct err *e);

/* If KEEP, drafts that S accepts stay external if they have the key `read`.
 * Otherwise acceptance removes their key `trust`, since a person has seen what the
 * writer read. */
void drafts_keep_trust(struct store *s, bool keep);

/* Return what drafts_keep_trust() set. */
bool drafts_keeps_trust(const struct store *s);

/* A kind of draft that does not become a memory; rooms above this one in lib/layers
 * implement it. */
struct drafts_kind {
	bool (*is)(const struct record *r);
	/* Create durably what the draft R becomes, and set R's path to its path. A
	 * second call creates nothing more. The caller holds the lock. Return 0 or
	 * -1. */
	int (*keep)(struct store *s, struct record *r, struct arena *a,
		    struct err *e);
};

/* If the draft at PATH is of one of KINDS, a list that NULL ends, convert it and
 * then move the draft to the trash. Its content must be WAS, unless WAS is NULL. If
 * the process is killed in between, the draft exists and can be accepted again.
 * Return 1, with the draft in R, allocated in A, but the path of what it became; 0
 * if it is of none of KINDS, or broken; or -1 as drafts_accept(). */
int drafts_convert(struct store *s, const char *path, const struct buf *was,
		   const struct drafts_kind *const *kinds, struct arena *a,
		   struct record *r, struct err *e);

/* Undo drafts_accept(): make the memory at PATH a draft again if its content is WAS, or
 * WAS is NULL. Bring back the memories that it replaced, whose former paths REPLACED
 * lists, unless that is NULL. R is then the draft, allocated in A. Return as
 * drafts_accept(). */
int drafts_withdraw(struct store *s, const char *path, const struct buf *was,
		    const char *replaced, struct arena *a, struct record *r,
		    struct err *e);

/* Find the draft that OPERAND, an id or a path, names. R, allocated in A, is the
 * draft; if the draft is not a valid memory, only R's path is set. Return 0 or -1:
 * ERR_NO, no such draft; ERR_BUSY, SHOWN is not NULL and not its text; or an error
 * of store_locate() or of reading. */
int drafts_find_same(struct store *s, const char *operand,
		     const struct buf *shown, struct arena *a, struct record *r,
		     struct err *e);

/* Move the drafts at the N PATHS to the trash in one operation. Return 0 or -1, and set
 * MOVED, as trash_remove() does. */
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
