/* deadline.h: run a function in a child process, with a time limit.
 *
 * The child sends its answer to the caller through a socket. The caller gets the
 * whole answer, or none if the child crashes, loops or waits for a disk. The
 * caller itself never hangs.
 *
 * The child has a session of its own. It may continue to work after its answer,
 * or after the limit, for at most a minute (see deadline_stay()). A child that
 * called deadline_bind() is killed at the limit.
 */
#ifndef CO_SYS_DEADLINE_H
#define CO_SYS_DEADLINE_H

#include "base/buf.h"
#include "base/err.h"

#define DEADLINE_FIRST_MS 5000 /* limit until the child sets one */

struct deadline {
	int socket;
};

/* Run WORK in a child whose standard output and error are /dev/null, and append
 * its answer to OUT. Returns 0, or -1: ERR_BUSY if there was no answer in time,
 * ERR_HELPER if the child ended without one, or ERR_SYSTEM. On failure, OUT
 * gets the fallback answer that WORK set with deadline_leave(), if any. */
typedef void deadline_fn(void *ctx, struct deadline *w);
int deadline_run(deadline_fn *work, void *ctx, struct buf *out, struct err *e);

/* As deadline_run(), but pass an answer that came in time to DELIVER, which returns
 * whether it could deliver it. A child that called deadline_offer() learns that, and is
 * waited for until deadline_end() or the limit. The caller must end soon: it does not
 * wait for the end of the child. */
typedef bool deadline_deliver_fn(void *ctx, const struct buf *answer);
int deadline_run_deliver(deadline_fn *work, void *ctx,
			 deadline_deliver_fn *deliver, struct buf *out,
			 struct err *e);

/* In the child: set the limit to MS milliseconds, counted from
 * deadline_run(). */
void deadline_allow(struct deadline *w, int ms);

/* In the child: end with the wait. The child exits now if the caller no longer
 * waits, and is killed when the wait ends without an answer. */
void deadline_bind(struct deadline *w);

/* In the child: set the fallback answer, used if deadline_answer() is not
 * called in time. */
void deadline_leave(struct deadline *w, const char *p, size_t len);

/* In the child: send the answer. Nothing may be sent after it. */
void deadline_answer(struct deadline *w, const char *p, size_t len);

/* In the child: send the answer, and return true once the caller has delivered it;
 * false if it was too late, could not be delivered, or the caller takes longer than
 * DEADLINE_OFFER_MS. Until deadline_end(), the caller waits. */
#define DEADLINE_OFFER_MS 1000
bool deadline_offer(struct deadline *w, const char *p, size_t len);
void deadline_end(struct deadline *w);

/* In the child: set its remaining lifetime to SECONDS. */
void deadline_stay(unsigned seconds);

/* Run FN, which reads files, in a bound child and append its output to OUT. It
 * has MS milliseconds from its start. What FN reports is passed to R. Returns 0
 * or -1 as deadline_run(); on failure OUT is unchanged. */
typedef void deadline_read_fn(void *ctx, struct buf *out,
			      const struct report *r);
int deadline_read(deadline_read_fn *fn, void *ctx, int ms, struct buf *out,
		  const struct report *r, struct err *e);

#endif
