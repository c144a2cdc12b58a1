/* process.c: programs that are run without waiting for them, at their worst.
 * With a file on a stalled file system as argument: one that cannot die. */
#include "../expect.h"
#include "base/mem.h"
#include "sys/process.h"

#include <signal.h>

static const char *stalled; /* a file that the argument names */

/* Run SCRIPT by sh on LEN bytes of INPUT, for at most MS, to its end. */
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
	       "what goes in comes out");
	expect(c.errors.len == PROCESS_ERRORS_MAX, "complaints have a limit");
	process_release(&c);
	run(&c, "exec <&-; echo done", input, len, 10000);
	expect(!strcmp(buf_str(&c.output), "done\n") && c.status == 0,
	       "input need not be read");
	process_release(&c);
	run(&c, "cat; kill -9 $$", NULL, 0, 10000);
	expect(c.status == 128 + SIGKILL && !c.output.len,
	       "no input is an end at once, a signal a status");
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
	       "output has a limit");
	process_release(&c);
	run(&c, "sleep 2 & exit 3", NULL, 0, 60000);
	expect(c.status == 3 && !c.late,
	       "what it leaves behind is not waited for");
	process_release(&c);
	run(&c, "exec >&- 2>&-; exit 4", NULL, 0, 10000);
	expect(c.status == 4, "closed output is no end of its own");
	process_release(&c);
}

static void test_absence(void)
{
	const char *argv[] = {"/no/such/program", NULL};
	struct process c = {0};
	struct err e;

	expect(process_start(&c, argv, NULL, 0, 1000, &e) < 0 &&
		       e.code == ERR_HELPER,
	       "a program that is not there cannot be started");
	process_release(&c);
}

static volatile sig_atomic_t handled;

static void handle(int number)
{
	handled = number;
}

/* Run SCRIPT, which may send signals to its parent, and call process_finish(). */
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

/* One that must end by itself is given time to do so. */
static void test_late(void)
{
	const char *argv[] = {"/bin/sh", "-c",
			      "trap 'exit 3' TERM; sleep 60 & wait", NULL};
	struct process c = {.undisturbed = true};
	struct err e;

	expect(!process_run(&c, argv, NULL, 0, 200, &e), "it is started");
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
	       "another ends it, then takes effect");
	process_release(&c);
	finish(&c, "trap '' TERM; kill -TERM $PPID; exec sleep 60");
	expect(c.late && c.status == 128 + SIGKILL,
	       "it is killed if that does not end it");
	process_release(&c);
	finish(&whole, "kill -TERM $PPID; sleep .2");
	expect(whole.status == 0 && handled == SIGTERM,
	       "the signal waits for one that must end by itself");
	process_release(&whole);
	signal(SIGTERM, SIG_DFL);
}

/* A program that waits for STALLED can perhaps not be killed. */
static void test_stalled(void)
{
	const char *argv[] = {"/bin/cat", stalled, NULL};
	struct pollfd fds[PROCESS_FDS];
	struct process c = {0};
	struct err e;

	expect(!process_start(&c, argv, NULL, 0, 100, &e), "it is started");
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
		{"a program that is not there cannot be started", test_absence},
		{"a program that must end by itself may clean up", test_late},
		{"a signal that ends us ends the program first", test_signals},
	};
	static const struct unit_test stall[] = {
		{"a program that cannot be killed is not waited for",
		 test_stalled},
	};

	signal(SIGPIPE, SIG_IGN);
	if (argc > 1) {
		stalled = argv[1];
		return unit_run(stall, ARRAY_LEN(stall));
	}
	return unit_run(tests, ARRAY_LEN(tests));
}
