/* compat.c: the ways that work on every system, on this one: lib/base/compat.c
 * is built once more here, and all that is linked uses this build of it. */
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
	expect(!(fcntl(ends[0], F_GETFL) & O_NONBLOCK), "which waits");
	close(ends[0]);
	close(ends[1]);
	expect(compat_pipe(ends, O_CLOEXEC | O_NONBLOCK) == 0, "another");
	for (int i = 0; i < 2; i++) {
		expect(fcntl(ends[i], F_GETFD) & FD_CLOEXEC, "not inherited");
		expect(fcntl(ends[i], F_GETFL) & O_NONBLOCK, "does not wait");
	}
	expect(read(ends[0], &byte, 1) < 0 && errno == EAGAIN, "is empty");
	close(ends[0]);
	close(ends[1]);
}

static void test_files(void)
{
	const int fd = compat_memory_file();
	struct stat st;
	struct spool s = {0};

	expect(fd >= 0 && fstat(fd, &st) == 0, "there is a file");
	expect(st.st_nlink == 0 && st.st_size == 0, "no name, and empty");
	expect(fcntl(fd, F_GETFD) & FD_CLOEXEC, "not inherited");
	expect(compat_grow(fd, 0, 3) == 0 && compat_grow(fd, 3, 200000) == 0,
	       "it grows");
	expect(fstat(fd, &st) == 0 && st.st_size == 200003, "as asked");
	expect(st.st_blocks * 512 >= 200000, "with room on the disk");
	expect(compat_mtime(&st).tv_sec == st.st_mtime, "it has a time");
	expect(compat_ctime(&st).tv_sec == st.st_ctime, "and another");
	close(fd);
	for (int i = 0; i < 3; i++)
		memset(spool_alloc(&s, SPOOL_MEMORY), 'x', SPOOL_MEMORY);
	expect(s.fd && !s.failed, "what is put aside goes to a file");
	spool_release(&s);
}

static void test_full_disk(void)
{
	const int fd = open("/dev/full", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	expect(compat_grow(fd, 0, 1) < 0 && errno == ENOSPC,
	       "a full disk is told");
	close(fd);
}

/* In the folder where the program runs, which is the test's own. */
static void test_rename(void)
{
	const int here = open(".", O_RDONLY | O_CLOEXEC);
	struct err e;

	expect(compat_rename_new(AT_FDCWD, "a", AT_FDCWD, "b") < 0 &&
		       errno == ENOSYS,
	       "it says that it cannot");
	expect(file_create(here, "a", "a", 0600, "one", 3, &e) == 1,
	       "a file is made all the same");
	expect(file_create(here, "a", "a", 0600, "two", 3, &e) == 0,
	       "and never gone over");
	close(here);
}

/* Pages of a file are there again when they are read. */
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
	       "every byte is as it was");
	munmap((void *)(uintptr_t)map, sizeof(bytes));
	close(fd);
	close(here);
}

/* Calls that have no portable way report that they do not know. */
static void test_rest(void)
{
	char self[PATH_MAX];

	expect(!compat_self(self), "nobody knows who we are");
	expect(compat_processors() >= 1, "there is a processor");
	expect(!compat_stamps_exactly(AT_FDCWD), "no stamp is believed");
	compat_trim();
	compat_no_dump();
	compat_own_descriptors(3);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"a pipe is not inherited, and waits or not as asked",
		 test_pipe},
		{"a file without a name grows as asked, with room on the disk",
		 test_files},
		{"a full disk is reported where a file grows", test_full_disk},
		{"a new file never replaces another, without a rename that "
		 "refuses to",
		 test_rename},
		{"pages that were released are read again", test_pages},
		{"calls that only one system has report nothing, and harm "
		 "nothing",
		 test_rest},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
