/* unsaved.h: what a person asked to be remembered, and no store would take.
 *
 * The session is over, so nobody says it again: the texts wait in the user's
 * state directory, in unsaved/, a file of JSON for each store and session:
 *
 *	{"place": "/home/ada/project/.co-cli", "source": "claude/SESSION",
 *	 "why": "...", "texts": ["tests need Docker"]}
 *
 * The files are the user's alone.  No text that looks like a secret is kept.
 */
#ifndef CO_TRANSCRIPT_UNSAVED_H
#define CO_TRANSCRIPT_UNSAVED_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#define UNSAVED_DIR "unsaved"

/* What waits for one store, of one session.  TEXTS is a list of JSON strings with
 * commas between, without brackets. */
struct unsaved {
	const char *place;  /* the path of the store's root */
	const char *source; /* of the drafts that come of it */
	const char *why;    /* the error that no draft was made for */
	struct buf texts;
	size_t n;
};

/* Append the LEN bytes of P to the texts of U: 1, or 0 where they look like a
 * secret, or cannot be looked through, and are not kept. */
int unsaved_add(struct unsaved *u, const char *p, size_t len);

/* Keep U durably, in place of what was kept for its place and source.  The texts
 * stay the caller's.  ERR_SYSTEM. */
int unsaved_keep(const struct unsaved *u, struct err *e);

/* Drop what is kept for PLACE and SOURCE, if anything is.  What cannot be removed
 * is found again, and known by then. */
void unsaved_drop(const char *place, const char *source);

/* Call FN with each text that is kept for PLACE: its source and LEN bytes of P, all
 * borrowed.  A file is removed once FN returned 0 for all of its texts; -1 ends the
 * walk and is returned.  -1 too: ERR_SYSTEM, a file cannot be read; ERR_DATA, it is
 * damaged, and stays. */
typedef int unsaved_fn(void *ctx, const char *source, const char *p, size_t len,
		       struct err *e);
int unsaved_each(const char *place, unsaved_fn *fn, void *ctx, struct err *e);

/* Count the texts that are kept for PLACE.  *WHY, unless NULL, is the reason of one
 * of them, in A.  What cannot be read counts as none. */
size_t unsaved_count(const char *place, const char **why, struct arena *a);

#endif
