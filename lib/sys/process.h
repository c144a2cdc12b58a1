/* process.h: another program, waited for or not.
 *
 * It gets its arguments as they are, no shell between, and its input on
 * standard input, whole, whatever becomes of us; what it writes is kept.  It
 * has a process group of its own, so that a signal that the terminal sends to
 * us is none to it, and a deadline, at which it is killed with all that it
 * started.
 */
#ifndef CO_CHILD_H
#define CO_CHILD_H

#include "base/buf.h"
#include "base/err.h"

#include <poll.h>
#include <sys/types.h>

#define CHILD_FDS 3
#define CHILD_OUTPUT_MAX ((size_t)64 * 1024 * 1024)
#define CHILD_ERRORS_MAX ((size_t)64 * 1024)

struct child {
	bool started;
	pid_t pid;	    /* 0 when none runs */
	int fds[CHILD_FDS]; /* our ends of its 1 and 2; -1 when closed */
	struct buf output;  /* at most CHILD_OUTPUT_MAX bytes, else killed */
	struct buf errors;  /* at most CHILD_ERRORS_MAX, the rest is dropped */
	int64_t deadline;   /* in ms, of a clock of its own */

	/* Once it has ended. */
	int status;   /* its exit status; 128 and a signal's number */
	bool late;    /* it was killed at its deadline */
	bool flooded; /* it was killed for what it wrote */
};

/* Start the program at argv[0] with LEN bytes of INPUT, for at most MS
 * milliseconds; C is zeroed or released.  ERR_HELPER: it cannot be started. */
int child_start(struct child *c, const char *const *argv, const char *input,
		size_t len, int ms, struct err *e);

/* The same, and wait until C has ended. */
int child_run(struct child *c, const char *const *argv, const char *input,
	      size_t len, int ms, struct err *e);

/* What to wait for on behalf of C: fills P, and returns how many there are. */
nfds_t child_wait(const struct child *c, struct pollfd p[CHILD_FDS]);

/* The longest that may be waited, in ms. */
int child_patience(const struct child *c);

/* Do what can be done without waiting; true once C has ended. */
bool child_work(struct child *c);

/* Kill C, if it runs, and forget it. */
void child_release(struct child *c);

#endif
