/* identity.h: proof that a store is the one that something was noted of.
 *
 * A path proves nothing: another store may lie there now.  A project's id proves
 * little, since anybody can copy it.  A directory's number and time of birth go
 * along when it is renamed, and no copy has them.  So these count:
 *
 *	at the same path     the same directory, or the same id, or, where one
 *	                     of both has no id, the same clone of git's
 *	at another path      the same directory, or the same id in the same clone
 *	                     of git's, where nothing is at the old path any more
 *
 * Known limits: a store that was moved to another file system outside git is not
 * known again.  Where a file system keeps no times of birth, its number stands in
 * for them, and a new directory may get the number of one that was removed.
 */
#ifndef CO_REPO_IDENTITY_H
#define CO_REPO_IDENTITY_H

#include "base/arena.h"
#include "format/value.h"
#include "repo/project-id.h"
#include "repo/root.h"

#define IDENTITY_MARK 64

struct identity {
	const char *path;		/* of `.co-cli` */
	char id[PROJECT_ID_LENGTH + 1]; /* "": none is known */
	char dir[IDENTITY_MARK]; /* the directory at PATH, "": not known */
	char git[IDENTITY_MARK]; /* the directory that a clone shares */
};

/* Fill I for R, from which PATH is borrowed. */
void identity_of(struct identity *i, struct root *r);

/* Append I as members of an object of JSON: "path", "id", "dir" and "git". */
void identity_write(struct buf *out, const struct identity *i);

/* Fill I from the members of V, from which PATH is borrowed: false where there is no
 * path. */
bool identity_parse(struct identity *i, const struct value *v);

/* True if NOW is proven to be the store that NOTED was written for. */
bool identity_is_same(const struct identity *now, const struct identity *noted);

/* True if nothing is at the path of NOTED, for certain. */
bool identity_is_gone(const struct identity *noted);

#endif
