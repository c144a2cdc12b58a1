/* wrap.c: system calls that fail on request.
 *
 * ld's --wrap=NAME links it into the programs of build/faults/bin, whose objects
 * are those of the real programs: product code has no hooks. Calls by libraries
 * that are linked statically are wrapped as well.
 *
 *	CO_FAULT=sys:N:ACTION    hit the N-th system call
 *	CO_FAULT=mem:N:ACTION    hit the N-th allocation
 *	CO_SHORT=N               read and write at most N bytes per call, and a
 *	                         1,024th of the requested bytes, so that a large
 *	                         file takes thousands of calls and not millions
 *	CO_EINTR=1               interrupt each call once before it succeeds
 *	CO_DTYPE=1               readdir() does not return the types of entries
 *	CO_PARENT=1              after a fork hit the parent, not the child
 *	CO_FAULT_LOG=FD          write the calls to FD: "s NAME", or for an allocation
 *	                         "m NAME CALLER" with a number for the code
 *	CO_FAULT_HIT=FD          write the first call that is hit to FD, which may
 *	                         differ from the N-th call of an earlier run
 *
 * ACTION is KILL, which ends the process before the call, or the number of an
 * error. With a `+` after it, later calls fail as well: for ENOSPC the calls
 * that need space, for EMFILE those that open a file, else all.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* STREAMS: standard streams, which work even if the disk fails. */
enum class { READS, OPENS, TAKES_SPACE, STREAMS };

static struct {
	bool memory; /* set if the fault counts allocations */
	long at;     /* the number of the call to hit; 0: none */
	int error;   /* 0 for KILL */
	bool stays;
	long calls[2]; /* of the system, allocations */
	size_t most;   /* bytes a call, 0 for any */
	bool interrupts, interrupted;
	bool hides_kinds;
	bool parent; /* the parent process is hit */
	int log;     /* -1 for none */
	int said;    /* the descriptor that gets the call that is hit, or -1 */
} fault = {.log = -1, .said = -1};

static int descriptor(const char *setting)
{
	const char *s = getenv(setting);

	/* Other programs that this one executes are not tested. */
	unsetenv(setting);
	return s ? (int)strtol(s, NULL, 10) : -1;
}

static void __attribute__((constructor)) read_environment(void)
{
	const char *what = getenv("CO_FAULT"), *s;

	s = getenv("CO_SHORT");
	fault.most = s ? strtoul(s, NULL, 10) : 0;
	fault.interrupts = getenv("CO_EINTR");
	fault.hides_kinds = getenv("CO_DTYPE");
	fault.parent = getenv("CO_PARENT");
	fault.log = descriptor("CO_FAULT_LOG");
	fault.said = descriptor("CO_FAULT_HIT");
	if (!what)
		return;
	fault.memory = !strncmp(what, "mem:", 4);
	s = strrchr(what, ':') + 1;
	fault.error = strcmp(s, "KILL") ? (int)strtol(s, NULL, 10) : 0;
	fault.stays = strchr(s, '+');
	fault.at = strtol(what + 4, NULL, 10);
	unsetenv("CO_FAULT");
}

extern const char __executable_start[]; /* the linker's */

/* Write a line about a call to FD. CALLER is the code that allocates, or NULL for
 * a system call. Libc calls would be counted. */
static void note(int fd, const char *name, const char *caller)
{
	size_t at = caller ? (size_t)(caller - __executable_start) : 0;
	char line[64] = {caller ? 'm' : 's', ' '};
	size_t len = 2 + strlen(name);

	memcpy(line + 2, name, len - 2);
	line[len++] = ' ';
	for (; at; at /= 16)
		line[len++] = "0123456789abcdef"[at % 16];
	line[len++] = '\n';
	syscall(SYS_write, fd, line, len);
}

static bool stays_for(enum class class)
{
	if (class == STREAMS)
		return false;
	if (fault.error == ENOSPC)
		return class == TAKES_SPACE;
	if (fault.error == EMFILE)
		return class == OPENS;
	return true;
}

/* Return true and set errno if the call NAME, an allocation by CALLER unless that is
 * NULL, must fail. Do not return if the process must end. */
static bool hit_from(const char *name, enum class class, const char *caller)
{
	const bool memory = caller;
	const long n = ++fault.calls[memory];

	if (fault.log >= 0)
		note(fault.log, name, caller);
	if (!fault.at || memory != fault.memory || n < fault.at ||
	    (n > fault.at && !(fault.stays && stays_for(class))))
		return false;
	if (fault.said >= 0)
		note(fault.said, name, caller);
	fault.said = -1;
	if (!fault.error)
		kill(getpid(), SIGKILL);
	errno = fault.error;
	return true;
}

static bool hit(const char *name, enum class class)
{
	return hit_from(name, class, NULL);
}

/* Return true and set errno for the first of every two calls. */
static bool interrupt(void)
{
	if (fault.interrupts)
		fault.interrupted = !fault.interrupted;
	if (!fault.interrupted)
		return false;
	errno = EINTR;
	return true;
}

static size_t most(size_t len)
{
	const size_t bound = fault.most + len / 1024;

	return fault.most && len > bound ? bound : len;
}

#define WRAP(type, name, class, failed, params, args)                     \
	type __real_##name params;                                        \
	type __wrap_##name params;                                        \
	type __wrap_##name params                                         \
	{                                                                 \
		return hit(#name, class) ? (failed) : __real_##name args; \
	}
#define WRAP_MEMORY(name, params, args)                                    \
	void *__real_##name params;                                        \
	void *__wrap_##name params;                                        \
	void *__wrap_##name params                                         \
	{                                                                  \
		return hit_from(#name, READS, __builtin_return_address(0)) \
			       ? NULL                                      \
			       : __real_##name args;                       \
	}
#define WRAP_SLOW(type, name, class, failed, params, args)                    \
	type __real_##name params;                                            \
	type __wrap_##name params;                                            \
	type __wrap_##name params                                             \
	{                                                                     \
		return interrupt() || hit(#name, class) ? (failed)            \
							: __real_##name args; \
	}

WRAP_MEMORY(malloc, (size_t n), (n))
WRAP_MEMORY(calloc, (size_t n, size_t size), (n, size))
WRAP_MEMORY(realloc, (void *p, size_t n), (p, n))

WRAP(int, pipe, OPENS, -1, (int fds[2]), (fds))
WRAP(int, access, READS, -1, (const char *p, int mode), (p, mode))
WRAP(int, chdir, READS, -1, (const char *p), (p))
WRAP(int, fchmod, READS, -1, (int fd, mode_t mode), (fd, mode))
WRAP(int, fstat, READS, -1, (int fd, struct stat *st), (fd, st))
WRAP(int, fstatat, READS, -1,
     (int dir, const char *p, struct stat *st, int flags), (dir, p, st, flags))
WRAP(int, fstatfs, READS, -1, (int fd, struct statfs *fs), (fd, fs))
WRAP(int, futimens, READS, -1, (int fd, const struct timespec times[2]),
     (fd, times))
WRAP(int, linkat, TAKES_SPACE, -1,
     (int from, const char *a, int to, const char *b, int flags),
     (from, a, to, b, flags))
WRAP(int, lstat, READS, -1, (const char *p, struct stat *st), (p, st))
WRAP(int, mkdirat, TAKES_SPACE, -1, (int dir, const char *p, mode_t mode),
     (dir, p, mode))
WRAP(int, renameat, TAKES_SPACE, -1,
     (int from, const char *a, int to, const char *b), (from, a, to, b))
WRAP(int, renameat2, TAKES_SPACE, -1,
     (int from, const char *a, int to, const char *b, unsigned flags),
     (from, a, to, b, flags))
WRAP(int, rmdir, READS, -1, (const char *p), (p))
WRAP(int, stat, READS, -1, (const char *p, struct stat *st), (p, st))
WRAP(int, unlinkat, READS, -1, (int dir, const char *p, int flags),
     (dir, p, flags))
WRAP(char *, getcwd, READS, NULL, (char *p, size_t size), (p, size))
WRAP(char *, mkdtemp, TAKES_SPACE, NULL, (char *p), (p))
WRAP(char *, realpath, READS, NULL, (const char *p, char *out), (p, out))
WRAP(DIR *, fdopendir, OPENS, NULL, (int fd), (fd))
WRAP(DIR *, opendir, OPENS, NULL, (const char *p), (p))
WRAP(ssize_t, readlink, READS, -1, (const char *p, char *out, size_t size),
     (p, out, size))
WRAP(int, posix_spawn, READS, fault.error,
     (pid_t * pid, const char *p, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *attr, char *const *argv, char *const *env),
     (pid, p, actions, attr, argv, env))

/* Return true if PATH has BELOW, but BELOW has no NEXT yet. */
static bool was_just_made(const char *path, const char *below, const char *next)
{
	char full[4200];

	snprintf(full, sizeof(full), "%s%s%s", path, below, next);
	if (syscall(SYS_access, full, F_OK) == 0)
		return false;
	full[strlen(full) - strlen(next)] = '\0';
	return syscall(SYS_access, full, F_OK) == 0;
}

/* Return true if FD is the list of known projects, a cache, a commit that is checked
 * temporarily, or a directory that is made for one of these. They are not data: the next
 * command that needs them makes them again. */
static bool is_remade(int fd)
{
	static const char *const made[] = {"/.local", "/.local/state",
					   "/.local/state/co-cli", "/.cache"};
	char link[32], path[4096];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = syscall(SYS_readlink, link, path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++) {
		const size_t n = strlen(made[i]);

		if ((size_t)len >= n && !strcmp(path + len - n, made[i]))
			return true;
	}
	return strstr(path, "/.local/state/co-cli/.co-tmp-") ||
	       strstr(path, "/.cache/co-cli") || strstr(path, "/co-commit-") ||
	       was_just_made(path, "/.local", "/state") ||
	       was_just_made(path, "/.cache", "/co-cli");
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
	const char *name = is_remade(fd) ? "fsync-remade" : "fsync";

	return interrupt() || hit(name, TAKES_SPACE) ? -1 : __real_fsync(fd);
}

WRAP_SLOW(int, flock, READS, -1, (int fd, int how), (fd, how))
WRAP_SLOW(int, poll, READS, -1, (struct pollfd * p, nfds_t n, int ms),
	  (p, n, ms))
WRAP_SLOW(pid_t, waitpid, READS, -1, (pid_t pid, int *status, int options),
	  (pid, status, options))
WRAP_SLOW(ssize_t, read, READS, -1, (int fd, void *p, size_t len),
	  (fd, p, most(len)))
WRAP_SLOW(ssize_t, pread, READS, -1, (int fd, void *p, size_t len, off_t at),
	  (fd, p, most(len), at))
WRAP_SLOW(ssize_t, write, fd > 2 ? TAKES_SPACE : STREAMS, -1,
	  (int fd, const void *p, size_t len), (fd, p, most(len)))

/* Two concurrent processes have no fixed order, so only one is counted. */
pid_t __real_fork(void);
pid_t __wrap_fork(void);
pid_t __wrap_fork(void)
{
	pid_t pid = hit("fork", READS) ? -1 : __real_fork();

	if (pid >= 0 && fault.parent != (pid > 0)) {
		fault.at = 0;
		fault.log = -1;
	}
	return pid;
}

/* A descriptor whose close fails is closed anyway. */
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
	const bool fails = interrupt() || hit("close", READS);
	const int error = errno, r = __real_close(fd);

	if (!fails || r < 0)
		return r;
	errno = error;
	return -1;
}

struct dirent *__real_readdir(DIR *dir);
struct dirent *__wrap_readdir(DIR *dir);
struct dirent *__wrap_readdir(DIR *dir)
{
	struct dirent *entry =
		hit("readdir", READS) ? NULL : __real_readdir(dir);

	if (entry && fault.hides_kinds)
		entry->d_type = DT_UNKNOWN;
	return entry;
}

static bool opening_fails(int flags)
{
	return interrupt() || (flags & O_CREAT ? hit("create", TAKES_SPACE)
					       : hit("open", OPENS));
}

int __real_openat(int dir, const char *p, int flags, ...);
int __wrap_openat(int dir, const char *p, int flags, ...);
int __wrap_openat(int dir, const char *p, int flags, ...)
{
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, int) : 0;
	va_end(ap);
	return opening_fails(flags) ? -1 : __real_openat(dir, p, flags, mode);
}

int __wrap_open(const char *p, int flags, ...);
int __wrap_open(const char *p, int flags, ...)
{
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, int) : 0;
	va_end(ap);
	return opening_fails(flags) ? -1
				    : __real_openat(AT_FDCWD, p, flags, mode);
}
