/* helper.h: run a program that reads a text and answers with a text.
 *
 * No shell is used: the words of the command are its arguments. A program name
 * without a slash is searched in the suite's directory, then in the absolute
 * directories of PATH. A name with a slash must be an absolute path, so that a
 * repository cannot supply a program. The helper has its own process group,
 * which is killed when it exceeds the time or size limit.
 */
#ifndef CO_SYS_HELPER_H
#define CO_SYS_HELPER_H

#include "sys/process.h"

struct helper {
	const char *const *words; /* command and arguments, NULL-terminated */
	const char *argv0;	  /* argv[0] of this program, or NULL */
	int timeout_ms;		  /* limit for the whole run */
	size_t max;		  /* limit for the answer, in bytes */
	const char *dir;	  /* working directory; NULL: unchanged */
	bool of_suite;		  /* do not set the mark of process.h */
};

/* Run H with the text IN on its standard input and replace the contents of OUT
 * by its standard output. Returns 0, or -1 with ERR_HELPER if it cannot be
 * started, exits with nonzero or exceeds a limit. If it exits with nonzero, the
 * message ends with the first line of its standard error. */
int helper_run(const struct helper *h, const struct buf *in, struct buf *out,
	       struct err *e);

/* Start H as C, which is zeroed, with the text IN, and do not wait for it. The caller
 * ends it with process_release(), and checks the size of its answer. Returns 0, or -1
 * with ERR_HELPER. */
int helper_start(const struct helper *h, const struct buf *in,
		 struct process *c, struct err *e);

#endif
