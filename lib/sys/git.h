/* git.h: running git, for the few commands that work on what it has open, or
 * ask for what was.
 *
 * Nothing that only looks at files runs it: its configuration may name programs.
 */
#ifndef CO_SYS_GIT_H
#define CO_SYS_GIT_H

#include "base/buf.h"
#include "base/err.h"
#include "sys/process.h"

/* Run git in the folder DIR with WORDS, NULL-terminated, the LEN bytes of INPUT
 * on its standard input, and replace OUT's contents by what it prints.  Returns
 * its exit status, or -1: ERR_HELPER, there is no git, it was killed, or it ended
 * with 128 and more, and the sentence ends with what it said; or DIR lies in a
 * repository without a work tree, which a clone may have brought. */
int git_run(const char *dir, const char *const *words, const char *input,
	    size_t len, struct buf *out, struct err *e);

/* The same for a question, a command of git's that only reads objects and refs, or
 * one that writes entries of the index: no hook, monitor, pager or program for signatures that the repository's
 * configuration names is run, and nothing is fetched that a partial clone has
 * not.  It is asked of the repository that DIR lies in, whatever the environment
 * says. */
int git_ask(const char *dir, const char *const *words, const char *input,
	    size_t len, struct buf *out, struct err *e);

/* The same, and TAKE gets what it prints as it comes, without a limit.  After a
 * TAKE that had enough, -1 as well, and E is untouched. */
int git_ask_taking(const char *dir, const char *const *words, const char *input,
		   size_t len, process_take_fn *take, void *ctx, struct err *e);

#endif
