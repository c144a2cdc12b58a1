/* compat.c: each function uses the system's own call where there is one, else a
 * portable fallback that may be slower or do less. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#define FDS_MOST 256 /* descriptors that are closed one by one */

#if defined(__linux__) && !defined(CO_COMPAT)
#define LINUX 1
#include <malloc.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

int compat_pipe(int ends[2], int flags)
{
#ifdef LINUX
	return pipe2(ends, flags);
#else
	if (pipe(ends) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		fcntl(ends[i], F_SETFD, FD_CLOEXEC);
		if (flags & O_NONBLOCK)
			fcntl(ends[i], F_SETFL, O_NONBLOCK);
	}
	return 0;
#endif
}

int compat_memory_file(void)
{
#ifdef LINUX
	return memfd_create("co", MFD_CLOEXEC);
#else
	return compat_temp_file();
#endif
}

int compat_temp_file(void)
{
	static const char name[] = "/co-XXXXXX";
	const char *dir = getenv("TMPDIR");
	char path[PATH_MAX];
	int fd;

	if (!dir || *dir != '/' || strlen(dir) >= sizeof(path) - sizeof(name))
		dir = "/tmp";
	snprintf(path, sizeof(path), "%s%s", dir, name);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int compat_grow(int fd, off_t from, off_t size)
{
#ifdef LINUX
	return posix_fallocate(fd, from, size) ? -1 : 0;
#else
	static const char zeros[64 * 1024];

	while (size > 0) {
		const size_t some = (uintmax_t)size < sizeof(zeros)
					    ? (size_t)size
					    : sizeof(zeros);
		const ssize_t n = pwrite(fd, zeros, some, from);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		from += n;
		size -= n;
	}
	return 0;
#endif
}

int compat_rename_new(int dir, const char *name, int to_dir,
		      const char *to_name)
{
#if defined(LINUX) && defined(RENAME_NOREPLACE)
	return renameat2(dir, name, to_dir, to_name, RENAME_NOREPLACE);
#elif defined(__APPLE__) && defined(RENAME_EXCL)
	if (renameatx_np(dir, name, to_dir, to_name, RENAME_EXCL) == 0)
		return 0;
	if (errno == ENOTSUP)
		errno = ENOSYS;
	return -1;
#else
	(void)dir, (void)name, (void)to_dir, (void)to_name;
	errno = ENOSYS;
	return -1;
#endif
}

int compat_exchange(int dir, const char *name, int other_dir, const char *other)
{
#if defined(LINUX) && defined(RENAME_EXCHANGE)
	return renameat2(dir, name, other_dir, other, RENAME_EXCHANGE);
#elif defined(__APPLE__) && defined(RENAME_SWAP)
	if (renameatx_np(dir, name, other_dir, other, RENAME_SWAP) == 0)
		return 0;
	if (errno == ENOTSUP)
		errno = ENOSYS;
	return -1;
#else
	(void)dir, (void)name, (void)other_dir, (void)other;
	errno = ENOSYS;
	return -1;
#endif
}

uint64_t compat_random(void)
{
	struct timespec now;
	uint64_t n;

#if defined(LINUX) || defined(__APPLE__)
	if (getentropy(&n, sizeof(n)) == 0)
		return n;
#endif
	clock_gettime(CLOCK_REALTIME, &now);
	n = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	return n ^ (uint64_t)getpid() << 40;
}

int compat_lock_open_file(int fd)
{
#if defined(LINUX) && defined(F_OFD_SETLK)
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return fcntl(fd, F_OFD_SETLK, &all);
#else
	(void)fd;
	errno = ENOSYS;
	return -1;
#endif
}

bool compat_is_shared(int dir)
{
#ifdef LINUX
	/* NFS, SMB (three), 9p, FUSE (sshfs, virtiofs), AFS (two), Ceph, Coda,
	 * GFS2, OCFS2, GPFS, Lustre, BeeGFS, OrangeFS, and the shared folders
	 * of VirtualBox, VMware and Parallels */
	static const uint32_t shared[] = {
		0x6969,	    0x517B,	0xFF534D42, 0xFE534D42, 0x01021997,
		0x65735546, 0x5346414F, 0x6B414653, 0x00C36400, 0x73757245,
		0x01161970, 0x7461636F, 0x47504653, 0x0BD00BD0, 0x19830326,
		0x20030528, 0x786F4256, 0xBACBACBC, 0x7C7C6673};
	struct statfs fs;

	memset(&fs, 0, sizeof(fs));
	if (fstatfs(dir, &fs) < 0 || !fs.f_type)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(shared); i++) {
		if ((uint32_t)fs.f_type == shared[i])
			return true;
	}
#else
	(void)dir;
#endif
	return false;
}

bool compat_can_sync_all(int dir)
{
#ifdef LINUX
	/* Before 5.8, syncfs() did not report that a write has failed. On other
	 * machines, nothing tells what it does. */
	struct utsname system;
	int major, minor;

	return uname(&system) == 0 &&
	       sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
	       (major > 5 || (major == 5 && minor >= 8)) &&
	       !compat_is_shared(dir);
#else
	(void)dir;
	return false;
#endif
}

int compat_sync_all(int dir)
{
#ifdef LINUX
	return syncfs(dir);
#else
	(void)dir;
	errno = ENOSYS;
	return -1;
#endif
}

int compat_born(int fd, struct timespec *t)
{
#if defined(LINUX) && defined(STATX_BTIME)
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &st) == 0 &&
	    st.stx_mask & STATX_BTIME) {
		*t = (struct timespec){(time_t)st.stx_btime.tv_sec,
				       (long)st.stx_btime.tv_nsec};
		return 0;
	}
#elif defined(__APPLE__) && !defined(CO_COMPAT)
	struct stat st;

	if (fstat(fd, &st) == 0) {
		*t = st.st_birthtimespec;
		return 0;
	}
#else
	(void)fd;
	(void)t;
#endif
	return -1;
}

int compat_spawn_in(const char *dir, pid_t *pid, const char *path,
		    posix_spawn_file_actions_t *actions,
		    const posix_spawnattr_t *attributes, char *const argv[],
		    char *const envp[])
{
#if defined(LINUX)
	int r = dir ? posix_spawn_file_actions_addchdir_np(actions, dir) : 0;

	return r ? r : posix_spawn(pid, path, actions, attributes, argv, envp);
#else
	int back = -1, r = 0;

	if (dir) {
		back = open(".", O_RDONLY | O_CLOEXEC);
		if (back < 0 || chdir(dir) < 0)
			r = errno;
	}
	if (!r)
		r = posix_spawn(pid, path, actions, attributes, argv, envp);
	if (back >= 0) {
		if (fchdir(back) < 0)
			r = r ? r : errno;
		close(back);
	}
	return r;
#endif
}

bool compat_self(char path[PATH_MAX])
{
#if defined(LINUX)
	const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (n <= 0 || path[0] != '/')
		return false;
	path[n] = '\0';
	return true;
#elif defined(__APPLE__)
	char self[PATH_MAX];
	uint32_t size = sizeof(self);

	return !_NSGetExecutablePath(self, &size) && realpath(self, path);
#else
	(void)path;
	return false;
#endif
}

bool compat_called(char path[PATH_MAX], const char *argv0)
{
#if defined(LINUX)
	const char *started_as = (const char *)getauxval(AT_EXECFN);

	if (started_as)
		argv0 = started_as;
#elif defined(__APPLE__)
	uint32_t size = PATH_MAX;

	if (!_NSGetExecutablePath(path, &size))
		return true;
#endif
	if (strlen(argv0) >= PATH_MAX)
		return false;
	memcpy(path, argv0, strlen(argv0) + 1);
	return true;
}

void compat_prefault(const char *start, const char *end)
{
#if defined(LINUX) && defined(__x86_64__)
	const uintptr_t from = (uintptr_t)start & ~4095UL;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(SYS_madvise), "D"(from),
			   "S"((uintptr_t)end - from),
			   "d"(23 /* MADV_POPULATE_WRITE, since Linux 5.14 */)
			 : "rcx", "r11", "memory");
#else
	(void)start;
	(void)end;
#endif
}

struct timespec compat_mtime(const struct stat *st)
{
#ifdef __APPLE__
	return st->st_mtimespec;
#else
	return st->st_mtim;
#endif
}

struct timespec compat_ctime(const struct stat *st)
{
#ifdef __APPLE__
	return st->st_ctimespec;
#else
	return st->st_ctim;
#endif
}

bool compat_stamps_exactly(int dir)
{
#ifdef LINUX
	/* ext, xfs, btrfs, tmpfs, overlay, f2fs, zfs, bcachefs */
	static const uint32_t exact[] = {0xEF53,     0x58465342, 0x9123683E,
					 0x01021994, 0x794C7630, 0xF2F52010,
					 0x2FC12FC1, 0xCA451A4E};
	struct statfs fs;

	if (fstatfs(dir, &fs) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(exact); i++) {
		if ((uint32_t)fs.f_type == exact[i])
			return true;
	}
#else
	(void)dir;
#endif
	return false;
}

unsigned compat_processors(void)
{
#ifdef LINUX
	cpu_set_t set;

	/* The call fails with over 1024 processors, which do not fit in the
	 * set. */
	return sched_getaffinity(0, sizeof(set), &set) < 0
		       ? 2
		       : (unsigned)CPU_COUNT(&set);
#else
	const long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : (unsigned)n;
#endif
}

void compat_begin_elsewhere(pthread_attr_t *attributes)
{
#if defined(LINUX) && defined(__GLIBC__)
	const int current = sched_getcpu();
	cpu_set_t set;

	if (current < 0 || sched_getaffinity(0, sizeof(set), &set) < 0)
		return;
	CPU_CLR((size_t)current, &set);
	if (CPU_COUNT(&set))
		pthread_attr_setaffinity_np(attributes, sizeof(set), &set);
#else
	(void)attributes;
#endif
}

void compat_call_back(pthread_t thread)
{
#if defined(LINUX) && defined(__GLIBC__)
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		pthread_setaffinity_np(thread, sizeof(set), &set);
#else
	(void)thread;
#endif
}

static void close_range_of(int first, int last)
{
#if defined(LINUX) && defined(SYS_close_range)
	if (first > last || syscall(SYS_close_range, first, last, 0) == 0)
		return;
#endif
	for (int fd = first; fd <= last && fd < FDS_MOST; fd++)
		close(fd);
}

void compat_close_others(int own)
{
	close_range_of(STDERR_FILENO + 1, own - 1);
	close_range_of(own + 1, INT_MAX);
}

void compat_own_descriptors(int dir)
{
#if defined(LINUX) && defined(SYS_close_range)
	if (unshare(CLONE_FILES) == 0)
		compat_close_others(dir);
#else
	(void)dir;
#endif
}

void compat_release_pages(const char *p, size_t len)
{
#ifdef LINUX
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t from = ((uintptr_t)p + page - 1) / page * page;
	const uintptr_t to = ((uintptr_t)p + len) / page * page;

	if (from < to)
		madvise((void *)from, to - from, MADV_DONTNEED);
#else
	(void)p;
	(void)len;
#endif
}

void compat_trim(void)
{
#if defined(LINUX) && defined(__GLIBC__)
	malloc_trim(0);
#endif
}

void compat_no_dump(void)
{
#ifdef LINUX
	prctl(PR_SET_DUMPABLE, 0);
#endif
}

/* With a static SQLite, -Wl,--wrap=dlopen makes it call this function instead
 * of the C library's dlopen(), which would need shared libraries at run
 * time. */
void *__wrap_dlopen(const char *file, int mode);

void *__wrap_dlopen(const char *file, int mode)
{
	(void)file;
	(void)mode;
	return NULL;
}
