/* lock.h: the lock that lets one process at a time write to a store.
 *
 * It is flock() on the descriptor of the directory. No lock file can be
 * committed, left over or planted, and a killed process releases its lock. If
 * the file system does not support it (NFS), a file in the user's cache
 * directory is locked instead, named after the device and inode of the
 * directory; this works on one machine only.
 */
#ifndef CO_SYS_LOCK_H
#define CO_SYS_LOCK_H

#include "base/err.h"

#define LOCK_WAIT_MS 30000

/* Lock the directory DIR, waiting at most LOCK_WAIT_MS. PATH is its name for
 * error messages. The caller passes *FD to lock_release(). Returns 0, or -1:
 * ERR_BUSY on timeout; at once if a program that passed the lock on started this
 * one, since it waits for this one to end. */
int lock_take(int dir, const char *path, int *fd, struct err *e);

/* Take a second lock if other machines may also mount the directory DIR (NFS,
 * SMB, a mount of a container or virtual machine, or an unknown file system),
 * since lock_take() may be local to one machine. It locks the file NAME in the
 * directory FILE_DIR with a lock that such file systems pass to their server,
 * and waits as lock_take(). The caller closes *FD; it is -1 if the lock is not
 * needed or not supported. Returns 0, or -1 with ERR_BUSY. */
int lock_share(int dir, int file_dir, const char *name, const char *path,
	       int *fd, struct err *e);

/* Let the programs that are started from now on keep the lock of lock_take() until they
 * end, even if this process is killed; with !PASS, no longer. lock_release() releases it
 * nevertheless. A mark in their environment says so. */
void lock_pass(int dir, int fd, bool pass);

/* Release the lock of lock_take(). Cannot fail. */
void lock_release(int dir, int fd);

#endif
