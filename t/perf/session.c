/* session: time a call of a server on standard input and output. usage: session
 * ROUNDS LINES SERVER... [-- PROGRAM...]
 *
 * LINES is a file of requests, one per line, each with an id. All except the
 * last begin the session. The last is sent ROUNDS times, each time after the
 * previous answer. PROGRAM runs once per round. Prints, separated by tabs, in
 * milliseconds: the medians of the first answer (from the start of the server),
 * of the call, of PROGRAM, and of the difference of the last two; then the
 * memory of the server in KiB.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static FILE *to, *from; /* the server */

static void fail(const char *what)
{
	fprintf(stderr, "session: %s: %s\n", what, strerror(errno));
	exit(4);
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Start ARGV with IN and OUT as its streams unless they are -1. Standard error
 * is discarded. */
static pid_t start(char **argv, int in, int out)
{
	posix_spawn_file_actions_t todo;
	pid_t pid;

	posix_spawn_file_actions_init(&todo);
	if (in >= 0)
		posix_spawn_file_actions_adddup2(&todo, in, 0);
	else
		posix_spawn_file_actions_addopen(&todo, 0, "/dev/null",
						 O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&todo, out, 1);
	posix_spawn_file_actions_addopen(&todo, 2, "/dev/null", O_WRONLY, 0);
	errno = posix_spawnp(&pid, argv[0], &todo, NULL, argv, environ);
	if (errno)
		fail(argv[0]);
	posix_spawn_file_actions_destroy(&todo);
	return pid;
}

static double run(char **argv)
{
	const double begin = now_ms();
	char drain[65536];
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		fail("pipe");
	pid = start(argv, -1, ends[1]);
	close(ends[1]);
	while (read(ends[0], drain, sizeof(drain)) > 0)
		;
	close(ends[0]);
	if (waitpid(pid, NULL, 0) < 0)
		fail("waitpid");
	return now_ms() - begin;
}

static pid_t serve(char **argv)
{
	int in[2], out[2];
	pid_t pid;

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		fail("pipe");
	pid = start(argv, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	to = fdopen(in[1], "w");
	from = fdopen(out[0], "r");
	return pid;
}

/* Send LINE and wait for a line. */
static double call(const char *line)
{
	static char *answer;
	static size_t cap;
	const double begin = now_ms();

	fputs(line, to);
	fflush(to);
	if (getline(&answer, &cap, from) < 0)
		fail("the server ended");
	return now_ms() - begin;
}

static long memory(pid_t pid)
{
	char path[64], line[256];
	long kib = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "VmRSS: %ld", &kib) == 1)
			break;
	}
	if (f)
		fclose(f);
	return kib;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *times, size_t n)
{
	qsort(times, n, sizeof(*times), ascending);
	return times[n / 2];
}

/* Return the requests of PATH, *N of them. */
static char **read_lines(const char *path, size_t *n)
{
	static char *lines[64];
	FILE *f = fopen(path, "r");
	size_t cap;

	if (!f)
		fail(path);
	for (*n = 0; *n < 64; ++*n) {
		cap = 0;
		if (getline(&lines[*n], &cap, f) < 0)
			break;
	}
	fclose(f);
	return lines;
}

int main(int argc, char **argv)
{
	const size_t rounds = argc > 3 ? strtoul(argv[1], NULL, 10) : 0;
	double *times[3], first, begin;
	char **program = argv + 3, **lines;
	size_t n;
	pid_t pid;

	if (!rounds) {
		fputs("usage: session ROUNDS LINES SERVER... [-- PROGRAM...]\n",
		      stderr);
		return 2;
	}
	while (*program && strcmp(*program, "--"))
		program++;
	if (*program)
		*program++ = NULL;
	for (int i = 0; i < 3; i++)
		times[i] = calloc(rounds, sizeof(double));
	lines = read_lines(argv[2], &n);
	begin = now_ms();
	pid = serve(argv + 3);
	call(lines[0]);
	first = now_ms() - begin;
	for (size_t i = 1; i < n; i++)
		call(lines[i]);
	for (size_t i = 0; i < rounds; i++) {
		times[0][i] = call(lines[n - 1]);
		times[1][i] = *program ? run(program) : 0;
		times[2][i] = times[0][i] - times[1][i];
	}
	printf("%.3f\t%.3f\t%.3f\t%.3f\t%ld\n", first, median(times[0], rounds),
	       median(times[1], rounds), median(times[2], rounds), memory(pid));
	fclose(to);
	waitpid(pid, NULL, 0);
	return 0;
}
