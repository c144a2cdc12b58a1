/* git-attributes.h: how git is to treat what is known: the lines of ours at the
 * beginning of `.co-cli/.gitattributes`.
 *
 * Knowledge ends its lines with \n on every machine, and is merged by what it
 * means where the clone has the driver `co` (see setup/setup-git.h), else as
 * text.  What others wrote stays behind our lines, so that it counts more.
 */
#ifndef CO_SETUP_GIT_ATTRIBUTES_H
#define CO_SETUP_GIT_ATTRIBUTES_H

#include "repo/root.h"

#define GIT_ATTRIBUTES ".gitattributes"

/* Put our lines into TEXT, or with PUT false take them out; all else stays as it
 * is, to the byte.  True where that changes anything. */
bool git_attributes_edit(struct buf *text, bool put);

/* Read the file of the root R: 1, 0 where it is absent, -1. */
int git_attributes_read(const struct root *r, struct buf *text, struct err *e);

/* Do that with the file of the root R, which is made, or removed where nothing
 * is left in it: 1; 0 where nothing changes; -1. */
int git_attributes_write(const struct root *r, bool put, struct err *e);

#endif
