/* inherit.h: what root makes in a user's folder is that user's: it gets the owner
 * and group of the folder.  As anybody else, and in root's own folders, nothing
 * is special.  What cannot be given away stays root's.
 */
#ifndef CO_SYS_INHERIT_H
#define CO_SYS_INHERIT_H

#include "base/base.h"

/* mkdirat(). */
int inherit_mkdir(int dir, const char *name, unsigned mode);

/* The file FD was just made in the folder DIR.  0. */
int inherit_owner(int dir, int fd);

#endif
