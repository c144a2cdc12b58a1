/* peak: measure the anonymous memory of a command. usage: peak COMMAND...
 *
 * Runs COMMAND with its input and output unchanged. Prints on standard error
 * its time in milliseconds, and in KiB the most anonymous memory that
 * continuous sampling saw, and the most memory of any kind. Mapped files count
 * only in the latter. Exits with the status of the command.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void fail(const char *what)
{
	fprintf(stderr, "peak: %s: %s\n", what, strerror(errno));
	exit(4);
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Return the anonymous memory of the process with the status file FD, or 0
 * after its end. */
static long anonymous(int fd)
{
	char text[4096];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	const char *at;

	if (n <= 0)
		return 0;
	text[n] = '\0';
	at = strstr(text, "RssAnon:");
	return at ? strtol(at + strlen("RssAnon:"), NULL, 10) : 0;
}

int main(int argc, char **argv)
{
	const struct timespec pause = {.tv_nsec = 100000};
	char name[64];
	double start = now_ms();
	struct rusage used;
	long most = 0;
	int fd, status;
	pid_t pid, gone;

	if (argc < 2) {
		fputs("usage: peak COMMAND...\n", stderr);
		return 2;
	}
	errno = posix_spawnp(&pid, argv[1], NULL, NULL, argv + 1, environ);
	if (errno)
		fail(argv[1]);
	snprintf(name, sizeof(name), "/proc/%ld/status", (long)pid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fail(name);
	while (!(gone = wait4(pid, &status, WNOHANG, &used))) {
		long now = anonymous(fd);

		if (now > most)
			most = now;
		nanosleep(&pause, NULL);
	}
	if (gone < 0)
		fail("wait4");
	fprintf(stderr, "%.0f ms  %ld KiB anonymous  %ld KiB in all\n",
		now_ms() - start, most, used.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}
