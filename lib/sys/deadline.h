/* deadline.h: work that must never hold up, nor break, whoever waits for it.
 *
 * It is done by a child process, whose answer comes whole or not at all: not
 * when it dies, loops, or waits for a disk.  The caller waits for the answer,
 * not for the child, which has a session of its own and may go on by itself:
 * behind its answer, and, until it is bound to it, when that comes too late.
 */
#ifndef CO_SYS_DEADLINE_H
#define CO_SYS_DEADLINE_H

#include "base/buf.h"
#include "base/err.h"

#define DEADLINE_FIRST_MS 1000 /* until the child says how long it may take */

struct deadline {
	int pipe;
};

/* Run WORK in a child, with /dev/null as its standard output and error, and
 * append its answer to OUT.  ERR_BUSY: none came in time, and the child is
 * killed if it is bound; ERR_HELPER: it ended without one; ERR_SYSTEM.  OUT
 * then gets what WORK left for this case. */
typedef void deadline_fn(void *ctx, struct deadline *w);
int deadline_run(deadline_fn *work, void *ctx, struct buf *out, struct err *e);

/* For WORK: from now on there are MS milliseconds for the answer. */
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

/* Have FN, which reads files, append to OUT, within MS milliseconds; what it
 * reports is reported here.  Fails as deadline_run(), and OUT is as it was. */
typedef void deadline_read_fn(void *ctx, struct buf *out,
			      const struct report *r);
int deadline_read(deadline_read_fn *fn, void *ctx, int ms, struct buf *out,
		  const struct report *r, struct err *e);

#endif
