/* inherit.h: ownership of files that root creates.
 *
 * If root creates a file in a directory that belongs to another user, the file
 * gets the owner and group of the directory. Otherwise nothing changes. If
 * changing the owner fails, the file stays root's; that is no error.
 */
#ifndef CO_SYS_INHERIT_H
#define CO_SYS_INHERIT_H

#include "base/base.h"

/* Call mkdirat() and set the owner. Returns 0, or -1 with errno set. */
int inherit_mkdir(int dir, const char *name, unsigned mode);

/* Set the owner of the file FD, just created in the directory DIR. Returns
 * 0. */
int inherit_owner(int dir, int fd);

#endif
