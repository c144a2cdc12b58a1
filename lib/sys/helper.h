/* helper.h: running a program that is given text and answers with text.
 *
 * No shell takes part: the words of the command are its arguments as they
 * stand.  A name without a slash is looked for beside the suite, then in the
 * absolute folders of PATH; one with a slash must be absolute, so that no
 * repository brings a program of its own.  The helper has a process group of
 * its own, which is killed when time is up or too much was said.
 */
#ifndef CO_SYS_HELPER_H
#define CO_SYS_HELPER_H

#include "base/buf.h"
#include "base/err.h"

struct helper {
	const char *const *words; /* the command, NULL-terminated */
	const char *argv0;	  /* what the suite was called as, or NULL */
	int timeout_ms;		  /* for all of it */
	size_t max;		  /* bytes of the answer */
	const char *dir;	  /* where it runs; NULL: where we are */
	bool of_suite;		  /* it gets no mark: see inside.h */
};

/* Give H the text IN on its standard input and replace OUT's contents by what
 * it says on its standard output.  ERR_HELPER where it cannot be started, does
 * not exit with 0, or strikes a limit; the sentence ends with the first line
 * of its standard error, if there is one. */
int helper_run(const struct helper *h, const struct buf *in, struct buf *out,
	       struct err *e);

#endif
