/* process.h: running another program, waiting for it or not.
 *
 * It gets its arguments as they are, no shell between, and its input on
 * standard input, whole, whatever becomes of us; what it writes is kept.  It
 * has a process group of its own, so that a signal that the terminal sends to
 * us is none to it, and a deadline, at which it is killed with all that it
 * started.
 */
#ifndef CO_SYS_PROCESS_H
#define CO_SYS_PROCESS_H

#include "base/buf.h"
#include "base/err.h"

#include <poll.h>
#include <sys/types.h>

#define PROCESS_FDS 3
#define PROCESS_OUTPUT_MAX ((size_t)64 * 1024 * 1024)
#define PROCESS_ERRORS_MAX ((size_t)64 * 1024)

struct process {
	bool started;
	pid_t pid;	      /* 0 when none runs */
	int fds[PROCESS_FDS]; /* our ends of its 1 and 2; -1 when closed */
	struct buf output; /* at most PROCESS_OUTPUT_MAX bytes, else killed */
	struct buf errors; /* at most PROCESS_ERRORS_MAX, the rest is dropped */
	int64_t deadline;  /* in ms, of a clock of its own */

	/* Once it has ended. */
	int status;   /* its exit status; 128 and a signal's number */
	bool late;    /* it was killed at its deadline */
	bool flooded; /* it was killed for what it wrote */
};

/* Start the program at argv[0] with LEN bytes of INPUT, for at most MS
 * milliseconds; C is zeroed or released.  ERR_HELPER: it cannot be started. */
int process_start(struct process *c, const char *const *argv, const char *input,
		  size_t len, int ms, struct err *e);

/* The same, and wait until C has ended. */
int process_run(struct process *c, const char *const *argv, const char *input,
		size_t len, int ms, struct err *e);

/* What to wait for on behalf of C: fills P, and returns how many there are. */
nfds_t process_wait(const struct process *c, struct pollfd p[PROCESS_FDS]);

/* The longest that may be waited, in ms. */
int process_patience(const struct process *c);

/* Do what can be done without waiting; true once C has ended. */
bool process_work(struct process *c);

/* Kill C, if it runs, and forget it. */
void process_release(struct process *c);

#endif
