/* ward.h: work that must never hold up, nor break, whoever waits for it.
 *
 * It is done by a child process, whose answer comes whole or not at all: not
 * when it dies, loops, or waits for a disk.  The caller waits for the answer,
 * not for the child, which may then go on by itself.
 */
#ifndef CO_WARD_H
#define CO_WARD_H

#include "buf.h"
#include "err.h"

#define WARD_FIRST_MS 1000 /* until the child says how long it may take */

struct ward {
	int pipe;
};

/* Run WORK in a child, with /dev/null as its standard output and error, and
 * append its answer to OUT.  ERR_BUSY: none came in time, and the child is
 * killed; ERR_HELPER: it ended without one; ERR_SYSTEM. */
typedef void ward_fn(void *ctx, struct ward *w);
int ward_run(ward_fn *work, void *ctx, struct buf *out, struct err *e);

/* For WORK: from now on there are MS milliseconds for the answer. */
void ward_allow(struct ward *w, int ms);

/* For WORK: this is the answer; nothing may follow.  With DETACH the child has
 * a session of its own before it is sent, so that no signal to the caller's
 * reaches it, and SECONDS to live. */
void ward_answer(struct ward *w, const char *p, size_t len, bool detach,
		 unsigned seconds);

#endif
