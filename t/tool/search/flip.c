/* flip FILE STEP PROGRAM ARGUMENT...: run the program, then again after damaging
 * each STEPth byte of FILE in turn. Its output and exit status must not change.
 * Print each difference, and exit 1 if there is one. */
#include "base/buf.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Run the program. Append its output and its exit status to OUT. */
static void run(char **argv, struct buf *out)
{
	posix_spawn_file_actions_t fa;
	char piece[4096];
	int ends[2], status = -1;
	ssize_t n;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		abort();
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_adddup2(&fa, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&fa, STDERR_FILENO, "/dev/null",
					 O_WRONLY, 0);
	if (posix_spawn(&pid, argv[0], &fa, NULL, argv, environ) != 0)
		abort();
	posix_spawn_file_actions_destroy(&fa);
	close(ends[1]);
	buf_cut(out, 0);
	while ((n = read(ends[0], piece, sizeof(piece))) > 0)
		buf_add(out, piece, (size_t)n);
	close(ends[0]);
	waitpid(pid, &status, 0);
	buf_addf(out, "status %d\n", status);
}

/* Damage the byte AT. Return false if there is none. */
static bool damage(const char *path, off_t at)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	unsigned char byte;
	bool there;

	if (fd < 0)
		abort();
	there = pread(fd, &byte, 1, at) == 1;
	byte = (unsigned char)(byte ^ 1u << at % 8);
	if (there && pwrite(fd, &byte, 1, at) != 1)
		abort();
	close(fd);
	return there;
}

int main(int argc, char **argv)
{
	struct buf want = {0}, got = {0};
	long step = argc > 3 ? strtol(argv[2], NULL, 10) : 0;
	int bad = 0;

	if (step < 1)
		return 2;
	run(argv + 3, &want);
	for (off_t at = 0; damage(argv[1], at); at += step) {
		run(argv + 3, &got);
		if (strcmp(want.p, got.p) != 0) {
			printf("byte %lld:\n%s", (long long)at, got.p);
			bad = 1;
		}
	}
	buf_release(&want);
	buf_release(&got);
	return bad;
}
