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

#endif
