/* compat.c: the portable variants, tested on this system. lib/base/compat.c is
 * built again here with CO_COMPAT, and the program uses this build. */
#define CO_COMPAT 1
#include "base/compat.c" /* NOLINT(bugprone-suspicious-include) */

#include "../expect.h"
#include "base/instant.h"
#include "base/spool.h"
#include "sys/file-write.h"

#include <sys/mman.h>

static void test_pipe(void)
{
	int ends[2];
	char byte;

	expect(compat_pipe(ends, O_CLOEXEC) == 0, "there is a pipe");
	expect(!(fcntl(ends[0], F_GETFL) & O_NONBLOCK),
	       "reads of the pipe block");
	close(ends[0]);
	close(ends[1]);
	expect(compat_pipe(ends, O_CLOEXEC | O_NONBLOCK) == 0, "another");
	for (int i = 0; i < 2; i++) {
		expect(fcntl(ends[i], F_GETFD) & FD_CLOEXEC, "not inherited");
		expect(fcntl(ends[i], F_GETFL) & O_NONBLOCK,
		       "reads of the pipe do not block");
	}
	expect(read(ends[0], &byte, 1) < 0 && errno == EAGAIN,
	       "the pipe is empty");
	close(ends[0]);
	close(ends[1]);
}

static void test_files(void)
{
	const int fd = compat_memory_file();
	struct stat st;
	struct spool s = {0};

	expect(fd >= 0 && fstat(fd, &st) == 0, "there is a file");
	expect(st.st_nlink == 0 && st.st_size == 0,
	       "the file has no name and is empty");
	expect(fcntl(fd, F_GETFD) & FD_CLOEXEC, "not inherited");
	expect(compat_grow(fd, 0, 3) == 0 && compat_grow(fd, 3, 200000) == 0,
	       "it grows");
	expect(fstat(fd, &st) == 0 && st.st_size == 200003,
	       "the file has the requested size");
	expect(st.st_blocks * 512 >= 200000, "the disk space is allocated");
	expect(compat_mtime(&st).tv_sec == st.st_mtime, "it has a time");
	expect(compat_ctime(&st).tv_sec == st.st_ctime, "and another");
	close(fd);
	for (int i = 0; i < 3; i++)
		memset(spool_alloc(&s, SPOOL_MEMORY), 'x', SPOOL_MEMORY);
	expect(s.fd && !s.failed, "spooled bytes go to a file");
	spool_release(&s);
}

static void test_full_disk(void)
{
	const int fd = open("/dev/full", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	expect(compat_grow(fd, 0, 1) < 0 && errno == ENOSPC,
	       "a full disk is an error");
	close(fd);
}

/* The program runs in a directory of its own. */
static void test_rename(void)
{
	const int here = open(".", O_RDONLY | O_CLOEXEC);
	struct err e;

	expect(compat_rename_new(AT_FDCWD, "a", AT_FDCWD, "b") < 0 &&
		       errno == ENOSYS,
	       "renaming without replacing is not supported");
	expect(file_create(here, "a", "a", 0600, "one", 3, &e) == 1,
	       "a file is still created");
	expect(file_create(here, "a", "a", 0600, "two", 3, &e) == 0,
	       "an existing file is not replaced");
	close(here);
}

/* Released pages of a file can be read again. */
static void test_pages(void)
{
	char bytes[3 * 4096];
	struct err e;
	const int here = open(".", O_RDONLY | O_CLOEXEC);
	const char *map;
	int fd;

	memset(bytes, 'x', sizeof(bytes));
	file_create(here, "pages", "pages", 0600, bytes, sizeof(bytes), &e);
	fd = openat(here, "pages", O_RDONLY | O_CLOEXEC);
	map = mmap(NULL, sizeof(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE, fd,
		   0);
	compat_release_pages(map + 1, sizeof(bytes) - 2);
	compat_release_pages(map + 1, 0);
	expect(map != MAP_FAILED && !memcmp(map, bytes, sizeof(bytes)),
	       "every byte is unchanged");
	munmap((void *)(uintptr_t)map, sizeof(bytes));
	close(fd);
	close(here);
}

/* Calls that have no portable way report that they do not know. */
static void test_rest(void)
{
	char self[PATH_MAX];

	expect(!compat_self(self), "the path of the program is unknown");
	expect(compat_processors() >= 1, "there is a processor");
	expect(!compat_stamps_exactly(AT_FDCWD), "no time stamp is trusted");
	compat_trim();
	compat_no_dump();
	compat_own_descriptors(3);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"a pipe is not inherited, and blocks unless O_NONBLOCK is set",
		 test_pipe},
		{"a file without a name grows and allocates disk space",
		 test_files},
		{"a full disk is reported when a file grows", test_full_disk},
		{"a new file replaces no other, even without an atomic rename",
		 test_rename},
		{"released pages can be read again", test_pages},
		{"calls without a portable variant report nothing", test_rest},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
