/* process.c: run programs without blocking, in the worst cases. The argument,
 * if any, is a file on a stalled file system. */
#include "../expect.h"
#include "base/mem.h"
#include "sys/process.h"

#include <signal.h>

static const char *stalled; /* a file that the argument names */

/* Run SCRIPT by sh with LEN bytes of INPUT, for at most MS, to its end. */
static void run(struct process *c, const char *script, const char *input,
		size_t len, int ms)
{
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	struct pollfd fds[PROCESS_FDS];
	struct err e;

	*c = (struct process){0};
	if (process_start(c, argv, input, len, ms, &e) < 0) {
		expect(false, e.text);
		return;
	}
	do
		poll(fds, process_wait(c, fds), process_patience(c));
	while (!process_work(c));
}

static void test_streams(void)
{
	const size_t len = (size_t)1024 * 1024;
	char *input = mem_alloc(len);
	struct process c;

	memset(input, 'x', len);
	run(&c, "tee /dev/stderr; exit 7", input, len, 10000);
	expect(c.status == 7, "the status is kept");
	expect(c.output.len == len && !memcmp(c.output.p, input, len),
	       "output equals input");
	expect(c.errors.len == PROCESS_ERRORS_MAX,
	       "the size of error output is limited");
	process_release(&c);
	run(&c, "exec <&-; echo done", input, len, 10000);
	expect(!strcmp(buf_str(&c.output), "done\n") && c.status == 0,
	       "input need not be read");
	process_release(&c);
	run(&c, "cat; kill -9 $$", NULL, 0, 10000);
	expect(c.status == 128 + SIGKILL && !c.output.len,
	       "no input is an end of file, and a signal sets the status");
	process_release(&c);
	free(input);
}

static void test_limits(void)
{
	struct process c;

	run(&c, "sleep 60 & sleep 60", NULL, 0, 50);
	expect(c.late && !c.pid, "a deadline is kept");
	process_release(&c);
	run(&c, "cat /dev/zero", NULL, 0, 60000);
	expect(c.flooded && c.output.len == PROCESS_OUTPUT_MAX,
	       "the size of output is limited");
	process_release(&c);
	run(&c, "sleep 2 & exit 3", NULL, 0, 60000);
	expect(c.status == 3 && !c.late,
	       "the end of a background process is not awaited");
	process_release(&c);
	run(&c, "exec >&- 2>&-; exit 4", NULL, 0, 10000);
	expect(c.status == 4, "closed output does not end the wait");
	process_release(&c);
}

static void test_absence(void)
{
	const char *argv[] = {"/no/such/program", NULL};
	struct process c = {0};
	struct err e;

	expect(process_start(&c, argv, NULL, 0, 1000, &e) < 0 &&
		       e.code == ERR_HELPER,
	       "a program that does not exist cannot be started");
	process_release(&c);
}

static volatile sig_atomic_t handled;

static void handle(int number)
{
	handled = number;
}

/* Run SCRIPT, which may send signals to its parent, by process_run(). */
static void finish(struct process *c, const char *script)
{
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	const bool undisturbed = c->undisturbed;
	struct err e;

	*c = (struct process){.undisturbed = undisturbed};
	handled = 0;
	if (process_run(c, argv, NULL, 0, 60000, &e) < 0)
		expect(false, e.text);
}

/* A program that must end by itself gets time to do so. */
static void test_late(void)
{
	const char *argv[] = {"/bin/sh", "-c",
			      "trap 'exit 3' TERM; sleep 60 & wait", NULL};
	struct process c = {.undisturbed = true};
	struct err e;

	expect(!process_run(&c, argv, NULL, 0, 200, &e),
	       "the program is started");
	expect(c.late && c.status == 3, "SIGTERM comes first");
	process_release(&c);
}

static void test_signals(void)
{
	struct process c = {0}, whole = {.undisturbed = true};

	signal(SIGHUP, SIG_IGN);
	finish(&c, "kill -HUP $PPID; sleep .2");
	expect(c.status == 0, "an ignored signal does not end it");
	process_release(&c);
	signal(SIGTERM, handle);
	finish(&c, "kill -TERM $PPID; exec sleep 60");
	expect(c.status == 128 + SIGTERM && !c.late && handled == SIGTERM,
	       "SIGTERM ends the program, then takes effect");
	process_release(&c);
	finish(&c, "trap '' TERM; kill -TERM $PPID; exec sleep 60");
	expect(c.late && c.status == 128 + SIGKILL,
	       "a program that ignores SIGTERM is killed");
	process_release(&c);
	finish(&whole, "kill -TERM $PPID; sleep .2");
	expect(whole.status == 0 && handled == SIGTERM,
	       "a signal waits for a program that must end by itself");
	process_release(&whole);
	signal(SIGTERM, SIG_DFL);
}

/* A program that reads STALLED may be impossible to kill. */
static void test_stalled(void)
{
	const char *argv[] = {"/bin/cat", stalled, NULL};
	struct pollfd fds[PROCESS_FDS];
	struct process c = {0};
	struct err e;

	expect(!process_start(&c, argv, NULL, 0, 100, &e),
	       "the program is started");
	do
		poll(fds, process_wait(&c, fds), process_patience(&c));
	while (!process_work(&c));
	expect(c.late && c.status == 128 + SIGKILL, "it counts as killed");
	process_release(&c);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		{"input, output and status of a program are kept",
		 test_streams},
		{"limits of a program are kept", test_limits},
		{"a program that does not exist cannot be started",
		 test_absence},
		{"a program that must end by itself may clean up", test_late},
		{"a signal that ends the caller ends the program first",
		 test_signals},
	};
	static const struct unit_test stall[] = {
		{"the caller does not wait for a program that cannot be killed",
		 test_stalled},
	};

	signal(SIGPIPE, SIG_IGN);
	if (argc > 1) {
		stalled = argv[1];
		return unit_run(stall, ARRAY_LEN(stall));
	}
	return unit_run(tests, ARRAY_LEN(tests));
}
