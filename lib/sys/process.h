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

/* Gets what was written and not taken yet, and cuts off what it takes.  False:
 * it has enough, and the program is killed. */
typedef bool process_take_fn(void *ctx, struct buf *output);

struct process {
	/* Set before it is started: */
	const char *dir; /* where it runs, absolute; NULL: where we are */
	bool of_suite;	 /* it gets no mark of inside.h */

	bool started;
	pid_t pid;	      /* 0 when none runs */
	int fds[PROCESS_FDS]; /* our ends of its 1 and 2; -1 when closed */
	struct buf output; /* at most PROCESS_OUTPUT_MAX bytes, else killed */
	process_take_fn *take; /* or NULL: what it writes is kept */
	void *ctx;
	struct buf errors; /* at most PROCESS_ERRORS_MAX, the rest is dropped */
	int64_t deadline;  /* in ms, of a clock of its own */

	/* Once it has ended. */
	int status;   /* its exit status; 128 and a signal's number */
	bool late;    /* it was killed at its deadline */
	bool flooded; /* it was killed for what it wrote */
	bool torn; /* what it wrote could not be read: status is ERR_SYSTEM */

	bool serves; /* see process_serve() */
	int in;	     /* our end of its 0 */
};

/* Start the program at argv[0] with LEN bytes of INPUT, for at most MS
 * milliseconds; C is zeroed or released, but for DIR and OF_SUITE.  ERR_HELPER: it cannot be started. */
int process_start(struct process *c, const char *const *argv, const char *input,
		  size_t len, int ms, struct err *e);

/* Start the program at argv[0], which answers each line of its input, and ends the
 * answer with a line that has its exit status alone.  It waits for
 * process_ask(). */
int process_serve(struct process *c, const char *const *argv, struct err *e);

/* Ask C, which serves, the LEN bytes of LINE, at most PROCESS_LINE_MAX of them and
 * its end with them.  When process_work() tells that it has ended, it has
 * answered or ended; process_part() finds out.  ERR_HELPER: it has ended. */
#define PROCESS_LINE_MAX ((size_t)4096)
int process_ask(struct process *c, const char *line, size_t len, int ms,
		struct err *e);

/* Part what C has answered, which stays in C, from the program that goes on, which
 * becomes *REST; where it has ended, or does not serve, nothing happens. */
void process_part(struct process *c, struct process *rest);

/* process_start(), and wait until C has ended. */
int process_run(struct process *c, const char *const *argv, const char *input,
		size_t len, int ms, struct err *e);

/* The same, and TAKE gets what it writes as it comes. */
int process_run_taking(struct process *c, const char *const *argv,
		       const char *input, size_t len, int ms,
		       process_take_fn *take, void *ctx, struct err *e);

/* What to wait for on behalf of C: fills P, and returns how many there are. */
nfds_t process_wait(const struct process *c, struct pollfd p[PROCESS_FDS]);

/* The longest that may be waited, in ms. */
int process_patience(const struct process *c);

/* Do what can be done without waiting; true once C has ended. */
bool process_work(struct process *c);

/* Kill C, if it runs, and forget it. */
void process_release(struct process *c);

#endif
