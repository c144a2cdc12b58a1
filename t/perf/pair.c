/* pair: time two commands side by side.
 *
 * usage: pair ROUNDS COMMAND... -- OTHER...
 *
 * Each round runs both once, in alternating order, so that what else the
 * machine does falls on both alike.  Prints the median over the rounds of the
 * ratio of their times, its quartiles, and both median times in milliseconds.
 * A command's output goes to a pipe that is drained: some programs stop at
 * once when they see /dev/null.
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

#define WARM_UP 3

extern char **environ;

static void fail(const char *what)
{
	fprintf(stderr, "pair: %s: %s\n", what, strerror(errno));
	exit(4);
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* The milliseconds that ARGV takes from its start to its end. */
static double run(char **argv)
{
	posix_spawn_file_actions_t todo;
	char drain[65536];
	double start;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		fail("pipe");
	posix_spawn_file_actions_init(&todo);
	posix_spawn_file_actions_addopen(&todo, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&todo, ends[1], 1);
	start = now_ms();
	errno = posix_spawnp(&pid, argv[0], &todo, NULL, argv, environ);
	if (errno)
		fail(argv[0]);
	close(ends[1]);
	while (read(ends[0], drain, sizeof(drain)) > 0)
		;
	if (waitpid(pid, NULL, 0) < 0)
		fail("waitpid");
	start = now_ms() - start;
	close(ends[0]);
	posix_spawn_file_actions_destroy(&todo);
	return start;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	double *one = calloc(rounds, sizeof(*one));
	double *two = calloc(rounds, sizeof(*two));
	double *ratio = calloc(rounds, sizeof(*ratio));
	char **other = argv + 2;

	while (other < argv + argc && strcmp(*other, "--"))
		other++;
	if (!rounds || other + 1 >= argv + argc || other == argv + 2) {
		fputs("usage: pair ROUNDS COMMAND... -- OTHER...\n", stderr);
		return 2;
	}
	*other++ = NULL;
	for (int i = 0; i < WARM_UP; i++) {
		run(argv + 2);
		run(other);
	}
	for (size_t i = 0; i < rounds; i++) {
		if (i % 2)
			one[i] = run(argv + 2);
		two[i] = run(other);
		if (i % 2 == 0)
			one[i] = run(argv + 2);
		ratio[i] = two[i] / one[i];
	}
	qsort(one, rounds, sizeof(*one), ascending);
	qsort(two, rounds, sizeof(*two), ascending);
	qsort(ratio, rounds, sizeof(*ratio), ascending);
	printf("%.2f\t%.2f\t%.2f\t%.3f\t%.3f\n", ratio[rounds / 2],
	       ratio[rounds / 4], ratio[rounds * 3 / 4], one[rounds / 2],
	       two[rounds / 2]);
	return 0;
}
