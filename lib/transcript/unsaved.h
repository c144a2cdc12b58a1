/* unsaved.h: texts that a user asked to be remembered and that no store
 * accepted.
 *
 * The session is over, so nobody will repeat them: they wait in the user's
 * state directory, in unsaved/, in one JSON file for each store and session:
 *
 * 	{"place": "/home/ada/project/.co-cli", "source": "claude/SESSION",
 * 	 "why": "...", "texts": ["tests need Docker"]}
 *
 * Only the user can read the files. Texts that look like secrets are not
 * stored.
 */
#ifndef CO_TRANSCRIPT_UNSAVED_H
#define CO_TRANSCRIPT_UNSAVED_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#define UNSAVED_DIR "unsaved"

/* The texts of one session for one store. TEXTS has JSON strings, separated by
 * commas, without brackets. */
struct unsaved {
	const char *place;  /* the path of the store's root */
	const char *source; /* the source for the drafts */
	const char *why;    /* the error for which no draft was made */
	struct buf texts;
	size_t n;
};

/* Append the LEN bytes of P to the texts of U. Return 1, or 0 if they look like
 * a secret or cannot be checked; then they are not added. */
int unsaved_add(struct unsaved *u, const char *p, size_t len);

/* Store U durably, replacing what was stored for its place and source. Return
 * 0, or -1 (ERR_SYSTEM). */
int unsaved_keep(const struct unsaved *u, struct err *e);

/* Remove what is stored for PLACE and SOURCE. A file that cannot be removed is
 * found again; its texts are then recognized as saved. */
void unsaved_drop(const char *place, const char *source);

/* Call FN with each text stored for PLACE: its source and LEN bytes of P, all
 * borrowed. A file is removed after FN returned 0 for all of its texts; -1 ends
 * the walk. Return 0, or -1: FN's, ERR_SYSTEM if a file cannot be read,
 * ERR_DATA if one is damaged; it stays. */
typedef int unsaved_fn(void *ctx, const char *source, const char *p, size_t len,
		       struct err *e);
int unsaved_each(const char *place, unsaved_fn *fn, void *ctx, struct err *e);

/* Count the texts stored for PLACE. *WHY, unless WHY is NULL, gets the reason
 * of one of them, in A. Unreadable files count as none. */
size_t unsaved_count(const char *place, const char **why, struct arena *a);

#endif
