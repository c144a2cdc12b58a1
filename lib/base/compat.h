/* compat.h: calls that differ between systems or do not exist on all of them.
 *
 * All other code is plain POSIX; no other file tests for the operating system.
 * Each function here has a portable fallback. If CO_COMPAT is defined, the
 * fallbacks are used on every system; "make COMPAT=1 test" tests them that way.
 *
 * Functions that return -1 set errno.
 */
#ifndef CO_BASE_COMPAT_H
#define CO_BASE_COMPAT_H

#include "base/base.h"

#include <limits.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/stat.h>
#include <time.h>

/* Call pipe() and set FLAGS (O_CLOEXEC, O_NONBLOCK) on both ends. */
int compat_pipe(int ends[2], int flags);

/* Return a descriptor of an empty file without a name, close-on-exec, or -1. It
 * is in memory where possible, else as compat_temp_file(). The caller closes
 * it. */
int compat_memory_file(void);

/* Return a descriptor of an empty unlinked file in $TMPDIR or /tmp,
 * close-on-exec, or -1. The caller closes it. */
int compat_temp_file(void);

/* Extend the file FD from FROM to FROM + SIZE bytes and allocate disk space for
 * them, so that writing through a mapping cannot fail. FROM is the current size
 * of the file. Returns 0 or -1. */
int compat_grow(int fd, off_t from, off_t size);

/* Call renameat() without replacing an existing file. Returns 0 or -1 with
 * EEXIST, or with ENOSYS or EINVAL if the system or the file system does not
 * support it. */
int compat_rename_new(int dir, const char *name, int to_dir,
		      const char *to_name);

/* Exchange two file names atomically. Returns 0 or -1; ENOSYS or EINVAL: see
 * compat_rename_new(). */
int compat_exchange(int dir, const char *name, int other_dir,
		    const char *other);

/* Return an unpredictable number. Without getentropy() it can be predicted, but
 * another process is unlikely to get the same one. */
uint64_t compat_random(void);

/* Lock the whole open file FD, opened for writing, until FD is closed. The lock
 * excludes other callers of this function, on other machines too if the file
 * system supports that. Returns 0, or -1: EAGAIN or EACCES if another process
 * holds the lock, ENOSYS or another error if such locks do not exist. */
int compat_lock_open_file(int fd);

/* Return true if the directory DIR is on a network or shared file system, or on
 * one of unknown type. Returns false on systems that cannot tell. */
bool compat_is_shared(int dir);

/* Return true if compat_sync_all() serves for the directory DIR. */
bool compat_can_sync_all(int dir);

/* Write everything of the file system of the directory DIR to the disk. Return
 * 0, or -1, also if a write has failed since DIR was opened. */
int compat_sync_all(int dir);

/* Call posix_spawn() for the program PATH with the working directory DIR; NULL:
 * the current one. Returns 0 or an error number. A change of directory may be
 * added to ACTIONS, so it must not be NULL and serves for one call only. The
 * fallback changes the directory of this process and changes it back. */
int compat_spawn_in(const char *dir, pid_t *pid, const char *path,
		    posix_spawn_file_actions_t *actions,
		    const posix_spawnattr_t *attributes, char *const argv[],
		    char *const envp[]);

/* Write the path of the running program, with links resolved, to PATH. Returns
 * false if it is unknown. */
bool compat_self(char path[PATH_MAX]);

/* Write the name under which the running program was started, with links not
 * resolved, to PATH. If the system does not record it, ARGV0 is copied. Returns
 * false if it is too long. */
bool compat_called(char path[PATH_MAX], const char *argv0);

/* Map the writable data pages from START to END in one system call; does
 * nothing where that is not possible. It uses no C library, so it may be called
 * before the library has started. */
void compat_prefault(const char *start, const char *end);

/* Return when the contents (mtime) or the inode (ctime) last changed. */
struct timespec compat_mtime(const struct stat *st);
struct timespec compat_ctime(const struct stat *st);

/* Set T to the time when the file FD was created. Return 0, or -1 if the system
 * or the file system does not record it. */
int compat_born(int fd, struct timespec *t);

/* Return true if the directory DIR is on a local file system that takes its
 * time stamps from the clock of this machine; false if not, or unknown. */
bool compat_stamps_exactly(int dir);

/* Convert a number between the byte order of the machine and little-endian. */
#define COMPAT_SWAPS (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static inline uint32_t compat_le32(uint32_t n)
{
	return COMPAT_SWAPS ? __builtin_bswap32(n) : n;
}

static inline uint64_t compat_le64(uint64_t n)
{
	return COMPAT_SWAPS ? __builtin_bswap64(n) : n;
}

/* Return the number of processors this process may use, at least 1. */
unsigned compat_processors(void);

/* Spread threads over the processors. A new thread starts on the processor of
 * its creator, which keeps running there; the scheduler moves the thread only
 * some milliseconds later. compat_begin_elsewhere() changes ATTRIBUTES so that
 * a new thread starts on another processor. compat_call_back() lets THREAD run
 * on all processors again, in case the other one is busy. */
void compat_begin_elsewhere(pthread_attr_t *attributes);
void compat_call_back(pthread_t thread);

/* Give this thread its own descriptor table, in which only the standard
 * descriptors and DIR, which is above them, are open. Other threads keep
 * theirs. If that is not possible, the table stays shared and nothing is
 * closed. */
void compat_own_descriptors(int dir);

/* Close all descriptors except the standard ones and OWN. Without close_range() of
 * the system, only the low ones are closed. */
void compat_close_others(int own);

/* Let the system take back the whole pages in the LEN bytes at P, a part of a private
 * mapping of a file that was not written to. They are read again when they are used. */
void compat_release_pages(const char *p, size_t len);

/* Return freed memory to the system, if possible. Call it after work that is not
 * repeated. */
void compat_trim(void);

/* Disable core dumps of this process, if possible. */
void compat_no_dump(void);

#endif
