/* deadline.h: running a function in a child process, with a time limit.
 *
 * The caller gets the whole answer of the child or, where that dies, loops or
 * waits for a disk, none; it never hangs, nor crashes with it.  The child has a
 * session of its own and may work on after it has answered.  One that answers
 * too late works on as well, unless it called deadline_bind(): then it is
 * killed.
 */
#ifndef CO_SYS_DEADLINE_H
#define CO_SYS_DEADLINE_H

#include "base/buf.h"
#include "base/err.h"

#define DEADLINE_FIRST_MS 5000 /* until the child says how long it may take */

struct deadline {
	int pipe;
};

/* Run WORK in a child, with /dev/null as its standard output and error, and
 * append its answer to OUT.  ERR_BUSY: none came in time, and the child is
 * killed if it is bound; ERR_HELPER: it ended without one; ERR_SYSTEM.  OUT
 * then gets what WORK left for this case. */
typedef void deadline_fn(void *ctx, struct deadline *w);
int deadline_run(deadline_fn *work, void *ctx, struct buf *out, struct err *e);

/* For WORK: there are MS milliseconds for the answer, from the call on. */
void deadline_allow(struct deadline *w, int ms);

/* For WORK: it is done for the answer alone: it ends here where nobody waits any
 * more, and with the wait. */
void deadline_bind(struct deadline *w);

/* For WORK: this is the answer where no other comes. */
void deadline_leave(struct deadline *w, const char *p, size_t len);

/* For WORK: this is the answer; nothing may follow. */
void deadline_answer(struct deadline *w, const char *p, size_t len);

/* For WORK: it has SECONDS from now on, instead of the minute that a child
 * has. */
void deadline_stay(unsigned seconds);

/* Have FN, which reads files, append to OUT, within MS milliseconds from when it
 * begins; what it reports is reported here.  Fails as deadline_run(), and OUT is
 * as it was. */
typedef void deadline_read_fn(void *ctx, struct buf *out,
			      const struct report *r);
int deadline_read(deadline_read_fn *fn, void *ctx, int ms, struct buf *out,
		  const struct report *r, struct err *e);

#endif
