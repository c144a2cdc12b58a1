/* move.h: move memories from one store to another.
 *
 * Under the locks of both stores a memory is written to the other store, and then goes
 * to the trash in this one.  These are two operations, each in the log of its store.
 * If the process is killed in between, the next writer of this store finishes the move
 * (see store/journal.h).
 *
 * In the other store the memory has a new id.  What its keys and its text say of other
 * memories is rewritten so that it is true there, or the memory does not move.
 */
#ifndef CO_MOVE_MOVE_H
#define CO_MOVE_MOVE_H

#include "base/strings.h"
#include "store/save.h"
#include "store/store.h"

/* Return 0 if FROM and TO are different stores, and this version knows the format of
 * TO; else -1. */
int move_check(struct store *from, struct store *to, struct err *e);

/* Take the locks of both stores, that of the directory with the lower inode first, so
 * that two processes with opposite moves never wait for each other; and release them. */
int move_begin(struct store *from, struct store *to, struct err *e);
void move_end(struct store *from, struct store *to);

/* Append the memory or draft WAS, as read from its file in FROM, as it would be in
 * TO under ID.  ERR_DATA: it says something that would not be true there. */
int move_text(struct store *from, struct store *to, const struct record *was,
	      int64_t id, struct buf *out, struct err *e);

/* Move it, between the two above: R, in A, is what it is there.  1 where it was
 * there already, to the byte, and only went from here; 0; -1: ERR_DATA too where
 * TO has another memory with the same text. */
int move_one(struct store *from, struct store *to, const struct record *was,
	     struct arena *a, struct record *r, struct err *e);

/* Add to OUT the paths of memories and drafts in S whose text names R of it, as
 * [[7]], or that are to replace it. */
int move_references(struct store *s, const struct record *r,
		    struct strings *out, struct arena *a, struct err *e);

/* Open the store NAME: "global", the directory of a project, or the id or the directory
 * name of a known one (see repo/known-projects.h). A word without a slash or a leading
 * dot is first looked up among the known ones. Return 0, or -1: ERR_USAGE if there is
 * none, or if two have that name. */
int move_open_target(struct store *s, const char *name, const struct report *r,
		     struct arena *a, struct err *e);

#endif
