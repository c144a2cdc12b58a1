/* mutants.c: record which places of a program a test reaches.
 *
 * t/mutants builds the programs with -fsanitize-coverage=trace-pc, by which each
 * basic block calls __sanitizer_cov_trace_pc().  With REACH set to a directory,
 * a process marks each call in the file REACH/TEST%PROGRAM, a byte for every
 * four bytes of the program's text.  A call takes five bytes or more, so that no
 * two calls share a mark.  TEST is the number that bats gives the test, or 0 in
 * setup_file().  Processes share the file, so that a killed one loses nothing.
 * Without REACH nothing is recorded.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char __executable_start, etext;

void __sanitizer_cov_trace_pc(void);

static unsigned char *marks;

void __sanitizer_cov_trace_pc(void)
{
	if (marks)
		marks[((uintptr_t)__builtin_return_address(0) -
		       (uintptr_t)&__executable_start) >>
		      2] = 1;
}

__attribute__((constructor)) static void map_marks(void)
{
	const char *dir = getenv("REACH"), *test = getenv("BATS_TEST_NUMBER");
	const size_t size = (size_t)(&etext - &__executable_start) / 4 + 1;
	char exe[4096], path[8192];
	ssize_t n;
	void *at;
	int fd;

	if (!dir || (n = readlink("/proc/self/exe", exe, sizeof exe - 1)) < 0)
		return;
	exe[n] = 0;
	for (char *p = exe; (p = strchr(p, '/'));)
		*p = '%';
	snprintf(path, sizeof path, "%s/%s%s", dir, test ? test : "0", exe);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	fchmod(fd, 0666);
	if (ftruncate(fd, (off_t)size) == 0) {
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			  0);
		if (at != MAP_FAILED)
			marks = at;
	}
	close(fd);
}
