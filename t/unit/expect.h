/* expect.h: run the checks of a unit program, and print the results in TAP.
 *
 * A unit program tests a part of the library from inside. Its main() passes a
 * table of tests to unit_run(), which runs each and prints "ok K - SENTENCE" or
 * "not ok K - SENTENCE". A test is a function that calls expect(). Each failed
 * expectation prints a comment.
 */
#ifndef CO_EXPECT_H
#define CO_EXPECT_H

#include "base/buf.h"
#include "base/mem.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNIT_SECONDS_MAX 600 /* of processor time, against hangs */
#define UNIT_COMMENTS_MAX 20 /* of one test */

struct unit_test {
	const char *sentence; /* states one behaviour */
	void (*run)(void);
};

static int failures; /* of the current test */
static const struct unit_test *unit_tests;
static size_t unit_at; /* the current test */

/* Print TEXT as comments of TAP, one for each line. */
static inline void unit_comment(const char *text)
{
	while (*text) {
		const size_t len = strcspn(text, "\n");

		printf("# %.*s\n", (int)len, text);
		text += len + (text[len] == '\n');
	}
}

/* Count a failure and print its description. */
PRINTF(1, 2) static inline void expect_failed(const char *fmt, ...)
{
	struct buf text = {0};
	va_list ap;

	if (++failures > UNIT_COMMENTS_MAX)
		return;
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	unit_comment(buf_str(&text));
	buf_release(&text);
}

static inline void expect(bool ok, const char *what)
{
	if (!ok)
		expect_failed("failed: %s", what);
}

/* Check that the contents of GOT are WANT. Empty GOT. */
static inline void expect_buf(struct buf *got, const char *input,
			      const char *want)
{
	if (got->len != strlen(want) || memcmp(buf_str(got), want, got->len))
		expect_failed("failed: '%s' became '%s', not '%s'", input,
			      buf_str(got), want);
	buf_cut(got, 0);
}

/* Print the result of the current test. */
static inline void unit_result(void)
{
	if (failures > UNIT_COMMENTS_MAX)
		printf("# failed: %d in all\n", failures);
	printf("%s %zu - %s\n", failures ? "not ok" : "ok", unit_at + 1,
	       unit_tests[unit_at].sentence);
	fflush(stdout);
}

/* Fail the test that runs and end the program, because it cannot continue. */
NORETURN static inline void unit_stop(const char *what, const char *why)
{
	expect_failed("failed: %s: %s", what, why);
	unit_result();
	exit(1);
}

/* Have the program killed if it takes more than UNIT_SECONDS_MAX. */
static inline void unit_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_CPU, &limit) == 0 &&
	    limit.rlim_max > UNIT_SECONDS_MAX) {
		limit.rlim_cur = UNIT_SECONDS_MAX;
		setrlimit(RLIMIT_CPU, &limit);
	}
}

/* Run the N tests of TESTS, each between BEFORE and AFTER, which may be NULL.
 * Return the status of the program: 1 if one failed. */
static inline int unit_run_between(const struct unit_test *tests, size_t n,
				   void (*before)(void), void (*after)(void))
{
	int status = 0;

	unit_limit();
	unit_tests = tests;
	printf("1..%zu\n", n);
	fflush(stdout);
	for (unit_at = 0; unit_at < n; unit_at++) {
		failures = 0;
		if (before)
			before();
		tests[unit_at].run();
		if (after)
			after();
		unit_result();
		status |= failures > 0;
	}
	return status;
}

static inline int unit_run(const struct unit_test *tests, size_t n)
{
	return unit_run_between(tests, n, NULL, NULL);
}

/* Enter the new directory HOME/project, with a new HOME and a fixed clock. Call
 * this at the start of a test that makes a store. */
static inline void unit_enter_home(void)
{
	static const char *const unwanted[] = {
		"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
		"XDG_RUNTIME_DIR"};
	static int top = -1;
	char name[] = "home-XXXXXX", *home;

	if (top < 0)
		top = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fchdir(top) < 0 || !mkdtemp(name) || chdir(name) < 0 ||
	    mkdir("project", 0777) < 0)
		unit_stop("cannot make a directory", name);
	home = realpath(".", NULL);
	setenv("HOME", home, 1);
	free(home);
	setenv("CO_NOW", "2026-02-09T14:30:00Z", 1);
	for (size_t i = 0; i < ARRAY_LEN(unwanted); i++)
		unsetenv(unwanted[i]);
	if (chdir("project") < 0)
		unit_stop("cannot enter a directory", name);
}

#endif
