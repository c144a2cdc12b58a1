/* process.h: run another program, waiting for it or not.
 *
 * No shell is used. The program gets its arguments unchanged and its whole
 * input on standard input, even if this process dies; its output is collected.
 * It has its own process group, so signals from the terminal do not reach it.
 * At its deadline it is killed with all that it started. A signal that ends this
 * process while it waits ends the program first.
 */
#ifndef CO_SYS_PROCESS_H
#define CO_SYS_PROCESS_H

#include "base/base.h"
#include "base/buf.h"
#include "base/err.h"

#include <poll.h>
#include <sys/types.h>

#define PROCESS_FDS 3
#define PROCESS_OUTPUT_MAX ((size_t)64 * 1024 * 1024)
#define PROCESS_ERRORS_MAX ((size_t)64 * 1024)

/* Called with the output that was not removed yet; removes what it handles.
 * Returns false to stop: the program is killed. */
typedef bool process_take_fn(void *ctx, struct buf *output);

struct process {
	/* Set before the start: */
	const char *dir; /* absolute working directory; NULL: unchanged */
	bool of_suite;	 /* do not set INSIDE_VARIABLE */
	/* A signal waits until the program has ended by itself; at its deadline, it gets
	 * SIGTERM first. */
	bool undisturbed;

	bool started;
	pid_t pid;	       /* 0 if not running */
	int fds[PROCESS_FDS];  /* our ends of its 1 and 2; -1: closed */
	struct buf output;     /* over PROCESS_OUTPUT_MAX bytes: killed */
	process_take_fn *take; /* receives the output; NULL: collect it */
	void *ctx;
	struct buf errors; /* first PROCESS_ERRORS_MAX bytes */
	int64_t deadline;  /* in ms, monotonic clock */
	bool ending;	   /* it has SIGTERM */

	/* Valid after its end: */
	int status;   /* exit status, or 128 + signal number */
	bool late;    /* killed at its deadline */
	bool flooded; /* killed for too much output, or by TAKE */
	bool torn;    /* its output was lost: status is ERR_SYSTEM */

	bool serves; /* see process_serve() */
	int in;	     /* write end of its input */
};

/* Start the program at argv[0] with LEN bytes of INPUT and a limit of MS
 * milliseconds. C is zeroed or released, with dir, of_suite and undisturbed set.
 * Returns 0, or -1 with ERR_HELPER. */
int process_start(struct process *c, const char *const *argv, const char *input,
		  size_t len, int ms, struct err *e);

/* Start the program at argv[0] as a server: it answers each input line, and
 * ends the answer with a line that holds only its status, one digit. Ask it
 * with process_ask(). Returns 0, or -1 with ERR_HELPER. */
int process_serve(struct process *c, const char *const *argv, struct err *e);

/* Send LEN bytes of LINE, including the newline and at most PROCESS_LINE_MAX,
 * to the server C, with a limit of MS milliseconds for the answer.
 * process_work() then returns true when C has answered or ended; process_part()
 * tells these apart. Returns 0, or -1 with ERR_HELPER if C has ended. */
#define PROCESS_LINE_MAX ((size_t)4096)
int process_ask(struct process *c, const char *line, size_t len, int ms,
		struct err *e);

/* If C is a server that still runs, move the program to *REST and leave the
 * answer in C. Else do nothing. */
void process_part(struct process *c, struct process *rest);

/* Wait until C, which was started, has ended. SIGINT, SIGTERM, SIGHUP and SIGQUIT are
 * passed to it as SIGTERM, and then take effect here. */
void process_finish(struct process *c);

/* Call process_start() and wait until C has ended. Returns as
 * process_start(). */
int process_run(struct process *c, const char *const *argv, const char *input,
		size_t len, int ms, struct err *e);

/* Like process_run(), but pass the output to TAKE as it arrives. */
int process_run_taking(struct process *c, const char *const *argv,
		       const char *input, size_t len, int ms,
		       process_take_fn *take, void *ctx, struct err *e);

/* Fill P with the descriptors to poll for C. Returns their number. */
nfds_t process_wait(const struct process *c, struct pollfd p[PROCESS_FDS]);

/* Return the longest time to poll, in ms. */
int process_patience(const struct process *c);

/* Read available output and check for the end, without waiting. Returns true
 * once C has ended or, if it serves, has answered. */
bool process_work(struct process *c);

/* Kill C if it runs, and free its memory. C is zeroed afterwards. */
void process_release(struct process *c);

/* A mark in the environment of the programs that the suite starts.
 *
 * A model command, an editor, a pager or a git hook may be an agent, or start
 * one, whose own hooks and server run the suite again. Each program outside the
 * suite therefore gets CO_INSIDE=1 in its environment. With it, co-hook, co-mcp
 * and co-harvest do nothing, which prevents endless recursion.
 *
 * Known limit: an agent may not pass the variable to its servers and hooks. See
 * text/injected.h for that case.
 */
#define INSIDE_VARIABLE "CO_INSIDE"

/* Return true if CO_INSIDE is 1, so a program of the suite started the caller
 * of this process. */
bool process_is_inside(void);

/* Return the environment of this process with the mark added, for a new
 * process. The caller frees the list; its strings are borrowed. */
char **process_environment(void);

/* A helper: a program that reads a text and answers with a text.
 *
 * The words of the command are its arguments. A program name without a slash is
 * searched in the suite's directory, then in the absolute directories of PATH. A
 * name with a slash must be an absolute path, so that a repository cannot supply a
 * program. A helper that exceeds the time or size limit is killed. */
struct helper {
	const char *const *words; /* command and arguments, NULL-terminated */
	const char *argv0;	  /* argv[0] of this program, or NULL */
	int timeout_ms;		  /* limit for the whole run */
	size_t max;		  /* limit for the answer, in bytes */
	const char *dir;	  /* working directory; NULL: unchanged */
	bool of_suite;		  /* as in struct process */
};

/* Run H with the text IN on its standard input and replace the contents of OUT
 * by its standard output. Returns 0, or -1 with ERR_HELPER if it cannot be
 * started, exits with nonzero or exceeds a limit. If it exits with nonzero, the
 * message ends with the first line of its standard error. */
int process_run_helper(const struct helper *h, const struct buf *in,
		       struct buf *out, struct err *e);

/* Start H as C, which is zeroed, with the text IN, and do not wait for it. The caller
 * ends it with process_release(), and checks the size of its answer. Returns 0, or -1
 * with ERR_HELPER. */
int process_start_helper(const struct helper *h, const struct buf *in,
			 struct process *c, struct err *e);

#endif
