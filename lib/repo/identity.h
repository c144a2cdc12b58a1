/* identity.h: prove that a store is the one that an earlier note describes.
 *
 * A path proves nothing: another store may be there now. The id of a project proves
 * little, since anybody can copy it. The inode number and the birth time of a
 * directory survive a rename, and no copy has them. So two stores are the same:
 *
 *	at the same path     if the directory is the same, or the id is, or if
 *	                     one has no id and both are in the same git clone
 *	at another path      if the directory is the same, or if id and git clone
 *	                     are and nothing is at the old path any more
 *
 * Known limits: a store that was moved to another file system outside git is not
 * recognized. If a file system keeps no birth times, the number of its device is
 * used instead, and a new directory may get the inode number of a removed one.
 */
#ifndef CO_REPO_IDENTITY_H
#define CO_REPO_IDENTITY_H

#include "format/value.h"
#include "repo/project-id.h"
#include "repo/root.h"

#define IDENTITY_MARK 64

struct identity {
	const char *path;		/* of `.co-cli` */
	char id[PROJECT_ID_LENGTH + 1]; /* "": unknown, as below */
	char dir[IDENTITY_MARK];	/* the directory at PATH */
	char git[IDENTITY_MARK]; /* the git directory that work trees share */
};

/* Set I to the identity of R, from which PATH is borrowed. Return 0, or -1 with
 * ERR_SYSTEM if the id cannot be read: it is then "", and the other members are set.
 * Malformed settings have no id. E may be NULL. */
int identity_of(struct identity *i, struct root *r, struct err *e);

/* Append I as members of a JSON object: "path", "id", "dir" and "git". */
void identity_write(struct buf *out, const struct identity *i);

/* Set I from the members of V, from which PATH is borrowed. Return false if V has no
 * absolute path. */
bool identity_parse(struct identity *i, const struct value *v);

/* Return true if NOW is proven to be the store that NOTED describes. */
bool identity_is_same(const struct identity *now, const struct identity *noted);

/* Return true if certainly nothing is at the path of NOTED. */
bool identity_is_gone(const struct identity *noted);

#endif
