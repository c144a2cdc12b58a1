/* compat.h: what systems have under different names, or not at all.
 *
 * Everything else is POSIX.  Here each call that only some systems have stands
 * once, with the way that works everywhere beside it; no other file asks which
 * system it is built for.  With CO_COMPAT defined the ways that work everywhere
 * are taken on all systems, which is how they are tested (make COMPAT=1 test).
 */
#ifndef CO_BASE_COMPAT_H
#define CO_BASE_COMPAT_H

#include "base/base.h"

#include <limits.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/stat.h>
#include <time.h>

/* pipe() with FLAGS on both ends: O_CLOEXEC, O_NONBLOCK.  -1 with errno. */
int compat_pipe(int ends[2], int flags);

/* A file without a name, empty, not inherited; yours, release with close().
 * It is in memory, or where temporary files are.  -1 with errno. */
int compat_memory_file(void);

/* The same in the folder of temporary files always. */
int compat_temp_file(void);

/* Bring FD from FROM to FROM + SIZE bytes, and take room on the disk for them,
 * so that writing to them through a mapping cannot fail.  It has no more than
 * FROM bytes now.  -1 with errno. */
int compat_grow(int fd, off_t from, off_t size);

/* renameat() that never goes over another file; -1 with errno: EEXIST, or
 * ENOSYS or EINVAL where the system or the file system has no such call. */
int compat_rename_new(int dir, const char *name, int to_dir,
		      const char *to_name);

/* Exchange two names; -1 with errno: ENOSYS or EINVAL as above. */
int compat_exchange(int dir, const char *name, int other_dir,
		    const char *other);

/* A number that nobody guesses, and nobody else gets. */
uint64_t compat_random(void);

/* Lock the open file FD, which is open for writing, against all who lock it so,
 * on other machines too where the file system tells them.  -1 with errno: EAGAIN
 * or EACCES where another has it, ENOSYS or anything else where there is no such
 * lock.  It ends when FD is closed. */
int compat_lock_open_file(int fd);

/* True if the folder DIR is on a file system that other machines may have as well,
 * or one that does not say what it is; false also where nobody can tell. */
bool compat_is_shared(int dir);

/* posix_spawn() of the program PATH in the directory DIR, or where this process is
 * if DIR is NULL.  Returns 0, or the error.  Where the system cannot do it by one
 * call, this process goes to DIR and back meanwhile. */
int compat_spawn_in(const char *dir, pid_t *pid, const char *path,
		    posix_spawn_file_actions_t *todo,
		    const posix_spawnattr_t *how, char *const argv[],
		    char *const envp[]);

/* The running program's path, links resolved; false where nobody knows. */
bool compat_self(char path[PATH_MAX]);

/* Copy to PATH the name that the running program was started by, links not
 * followed: ARGV0 where the system does not tell. Return false where it is too
 * long. */
bool compat_called(char path[PATH_MAX], const char *argv0);

/* Make the pages from START to END of writable data present, where the system does
 * it by one call; does nothing elsewhere.  Needs no C library: it may be called
 * before that has started. */
void compat_prefault(const char *start, const char *end);

/* When the contents of the file, and the file, changed last. */
struct timespec compat_mtime(const struct stat *st);
struct timespec compat_ctime(const struct stat *st);

/* True if the folder DIR is on a file system of this machine that stamps by its
 * clock; false also where that cannot be known. */
bool compat_stamps_exactly(int dir);

/* A number of a file that is little-endian everywhere, from or to ours. */
#define COMPAT_SWAPS (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static inline uint32_t compat_le32(uint32_t n)
{
	return COMPAT_SWAPS ? __builtin_bswap32(n) : n;
}

static inline uint64_t compat_le64(uint64_t n)
{
	return COMPAT_SWAPS ? __builtin_bswap64(n) : n;
}

/* How many processors we may use, at least 1. */
unsigned compat_processors(void);

/* A thread begins on the processor of its maker, who goes on there: that
 * another one is idle is noticed some milliseconds later, when there is nothing
 * left to be done.  So it is begun elsewhere, and called back when its maker
 * is through, since another process may have all that it was sent to. */
void compat_begin_elsewhere(pthread_attr_t *how);
void compat_call_back(pthread_t thread);

/* From now on the descriptors of this thread are its own, DIR and the standard
 * ones alone.  Where that cannot be, they stay everybody's. */
void compat_own_descriptors(int dir);

/* Give back to the system what was freed. */
void compat_trim(void);

/* What is in memory goes to no file when the program dies. */
void compat_no_dump(void);

#endif
