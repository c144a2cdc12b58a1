/* move.h: move memories from one store to another.
 *
 * Under the locks of both stores a memory is written to the other store, and then moved
 * to the trash in this one. These are two operations, each in the log of its store. If
 * the process is killed in between, the next writer of this store finishes the move
 * (see store/journal.h).
 *
 * In the other store the memory gets a new id. References to other memories in its keys
 * and its text are rewritten or removed. If one cannot be correct there, the memory
 * does not move.
 */
#ifndef CO_MOVE_MOVE_H
#define CO_MOVE_MOVE_H

#include "base/strings.h"
#include "store/save.h"
#include "store/store.h"

/* Return 0 if FROM and TO are stores of different projects, or one is the user's,
 * and this version can write the format of TO; else -1. An absent store is accepted. */
int move_check(struct store *from, struct store *to, struct err *e);

/* Take the locks of both stores, which exist, and release them. The lock of the
 * directory with the lower device and inode is taken first, so two processes with
 * opposite moves never wait for each other. move_lock() returns 0 or -1. */
int move_lock(struct store *from, struct store *to, struct err *e);

/* Like move_lock(), but create an absent store, and call move_check(). */
int move_begin(struct store *from, struct store *to, struct err *e);
void move_end(struct store *from, struct store *to);

/* Append to OUT the text that the memory or draft WAS, as read from its file in
 * FROM, gets in TO, with the id ID. Return 0, or -1 with ERR_DATA if a reference in
 * it cannot be correct there. */
int move_text(struct store *from, struct store *to, const struct record *was,
	      int64_t id, struct buf *out, struct err *e);

/* Move the memory or draft WAS from FROM to TO, between move_begin() and move_end().
 * R, allocated in A, is then the memory in TO. Return 0; 1 if TO has exactly this
 * memory already, and it was only removed from FROM; or -1: ERR_DATA as move_text(),
 * or if TO has another memory with the same content; ERR_USAGE if WAS is not a memory
 * or draft. */
int move_one(struct store *from, struct store *to, const struct record *was,
	     struct arena *a, struct record *r, struct err *e);

/* The references in a store: the memory or draft at PATH has [[7]] in its text, or 7 in
 * its key `replaces`. The list is sorted by id. Zeroed: none. Free ITEMS with free(). */
struct move_references {
	struct move_reference {
		int64_t id;
		const char *path;
	} * items;
	size_t n, cap;
};

/* Add all references in S to OUT, which is empty; the paths are allocated in A. Return 0
 * or -1. */
int move_find_references(struct store *s, struct move_references *out,
			 struct arena *a, struct err *e);

/* Add to OUT the paths in ALL of the other files that refer to R and still exist. */
void move_references_to(const struct move_references *all,
			const struct record *r, struct strings *out);

/* Open the store NAME: "global", the directory of a project, or the id or the
 * directory name of a known one (see repo/known-projects.h). A name without a slash
 * or a leading dot is first searched among the known projects; "user" is "global" if
 * nothing else has that name. Return 0, or -1: ERR_USAGE if there is no such store, or
 * two projects have that name. The caller closes S after 0. */
int move_open_target(struct store *s, const char *name, const struct report *r,
		     struct arena *a, struct err *e);

#endif
