/* unsaved.h: texts that a user asked to be remembered and that no store
 * accepted.
 *
 * The session is over, so nobody will repeat them: they wait in the user's
 * state directory, in unsaved/, in one JSON file for each store and session, or
 * more if that cannot be read:
 *
 * 	{"store": {"path": "/home/ada/project/.co-cli", ...},
 * 	 "source": "claude/SESSION", "why": "...",
 * 	 "texts": ["tests need Docker"]}
 *
 * They are saved only in the store that is proven to be theirs: see
 * repo/identity.h. Until then they wait. Only the user can read the files.
 * Texts that look like secrets are not stored.
 */
#ifndef CO_TRANSCRIPT_UNSAVED_H
#define CO_TRANSCRIPT_UNSAVED_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "repo/layout.h"

/* The texts of one session for one store. TEXTS has JSON strings, separated by
 * commas, without brackets. */
struct unsaved {
	const struct identity *store;
	const char *source; /* the source for the drafts */
	const char *why;    /* the error for which no draft was made */
	struct buf texts;
	size_t n;
};

/* Append the LEN bytes of P to the texts of U. Return 1, or 0 if they look like
 * a secret or cannot be checked; then they are not added. */
int unsaved_add(struct unsaved *u, const char *p, size_t len);

/* Store U durably, with the texts that are stored for its store and source. Return
 * 0, or -1 (ERR_SYSTEM). */
int unsaved_keep(const struct unsaved *u, struct err *e);

/* Call FN with each text stored for STORE: its source and LEN bytes of P, all
 * borrowed. A file is removed after FN returned 0 for all of its texts, unless it was
 * replaced meanwhile; -1 ends the walk. Return 0, or -1: FN's, ERR_SYSTEM if a file
 * cannot be read, ERR_DATA if one is damaged; it stays. */
typedef int unsaved_fn(void *ctx, const char *source, const char *p, size_t len,
		       struct err *e);
int unsaved_each(const struct identity *store, unsaved_fn *fn, void *ctx,
		 struct err *e);

/* The texts that wait for a store; all in an arena. */
struct unsaved_found {
	size_t n;	 /* number of texts */
	const char *why; /* the reason of one of them */
	/* A file for another store that had the same path, or NULL. */
	const char *other;
};

/* Fill F for STORE, in A. Unreadable files count as none. */
void unsaved_look(struct unsaved_found *f, const struct identity *store,
		  struct arena *a);

/* Which texts unsaved_purge() removes. */
struct unsaved_purge {
	/* Return true if the LEN bytes of P must be removed. */
	bool (*goes)(void *ctx, const char *p, size_t len);
	/* Called with each file that has such a text. */
	void (*gone)(void *ctx, const char *path);
	/* Called with an error message for each file that cannot be read. */
	void (*missed)(void *ctx, const char *what);
	void *ctx;
	bool dry; /* remove nothing */
};

/* Remove texts that are stored for STORE, for another store that had its path,
 * or for one that had its id and no longer exists. Return 0, or -1. */
int unsaved_purge(const struct identity *store, const struct unsaved_purge *p,
		  struct err *e);

#endif
