/* pair: time two commands against each other.
 *
 * usage: pair ROUNDS COMMAND... -- OTHER...
 *
 * Each round runs both once, in alternating order, so that other load of the
 * machine affects both equally. Prints the median over the rounds of the ratio
 * of their times (OTHER's by COMMAND's), its quartiles, both median times in
 * milliseconds, and the most memory that either used, in KiB.
 *
 * The output of a command goes to a pipe that is drained, since some programs
 * stop at once if it is /dev/null. Its input is the file $INPUT, or empty. With
 * $CPU set the times are those of processors, which depend less on other load.
 * With $ONCE set there is no warm-up run. If a command fails, pair ends.
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

static double spent_ms(const struct rusage *used)
{
	return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1e3 +
	       (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1e3;
}

/* Return the milliseconds that ARGV takes. Set *PEAK to its memory if that is
 * more. */
static double run(char **argv, long *peak)
{
	const char *input = getenv("INPUT");
	posix_spawn_file_actions_t todo;
	char drain[65536];
	double start;
	struct rusage used;
	int ends[2], status;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		fail("pipe");
	posix_spawn_file_actions_init(&todo);
	posix_spawn_file_actions_addopen(&todo, 0, input ? input : "/dev/null",
					 O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&todo, ends[1], 1);
	start = now_ms();
	errno = posix_spawnp(&pid, argv[0], &todo, NULL, argv, environ);
	if (errno)
		fail(argv[0]);
	close(ends[1]);
	while (read(ends[0], drain, sizeof(drain)) > 0)
		;
	if (wait4(pid, &status, 0, &used) < 0)
		fail("wait4");
	start = getenv("CPU") ? spent_ms(&used) : now_ms() - start;
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "pair: '%s' failed\n", argv[0]);
		exit(4);
	}
	if (used.ru_maxrss > *peak)
		*peak = used.ru_maxrss;
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
	long peak_one = 0, peak_two = 0;

	while (other < argv + argc && strcmp(*other, "--"))
		other++;
	if (!rounds || other + 1 >= argv + argc || other == argv + 2) {
		fputs("usage: pair ROUNDS COMMAND... -- OTHER...\n", stderr);
		return 2;
	}
	*other++ = NULL;
	for (int i = 0; i < WARM_UP && !getenv("ONCE"); i++) {
		run(argv + 2, &peak_one);
		run(other, &peak_two);
	}
	for (size_t i = 0; i < rounds; i++) {
		if (i % 2)
			one[i] = run(argv + 2, &peak_one);
		two[i] = run(other, &peak_two);
		if (i % 2 == 0)
			one[i] = run(argv + 2, &peak_one);
		ratio[i] = two[i] / one[i];
	}
	qsort(one, rounds, sizeof(*one), ascending);
	qsort(two, rounds, sizeof(*two), ascending);
	qsort(ratio, rounds, sizeof(*ratio), ascending);
	printf("%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%ld\t%ld\n", ratio[rounds / 2],
	       ratio[rounds / 4], ratio[rounds * 3 / 4], one[rounds / 2],
	       two[rounds / 2], peak_one, peak_two);
	return 0;
}
