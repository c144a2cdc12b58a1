/* lock.h: a lock, so that one process at a time writes to a store.
 *
 * flock() on the descriptor of the folder itself: no lock file can be
 * committed, left behind or planted, and a killed holder holds nothing.  Where
 * the file system has no such lock (NFS), a file in the user's cache folder
 * named after the folder's device and inode stands in, which serves one
 * machine.
 */
#ifndef CO_SYS_LOCK_H
#define CO_SYS_LOCK_H

#include "base/err.h"

#define LOCK_WAIT_MS 30000

/* Take the lock of the folder DIR, called PATH, waiting at most LOCK_WAIT_MS.
 * *FD is yours, release with lock_release().  ERR_BUSY when it stays taken. */
int lock_take(int dir, const char *path, int *fd, struct err *e);

/* Where the folder DIR, called PATH, is on a file system that other machines may
 * have as well (NFS, SMB, a container's or a virtual machine's mount), or one
 * that does not say what it is, the lock of DIR may be one machine's alone.  So
 * take another, of the file NAME in the folder BESIDE, which such file systems
 * bring to their servers; waiting as lock_take().  *FD is yours, release with
 * close(); -1 where it is not needed, or there is no such lock. */
int lock_share(int dir, int beside, const char *name, const char *path, int *fd,
	       struct err *e);

/* Give the lock back.  Cannot fail. */
void lock_release(int dir, int fd);

#endif
