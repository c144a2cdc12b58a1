/* shares.h: the terms of a document's tags, title and source, by the share that
 * each is of its value (see metadata.h), in SHARES steps.
 */
#ifndef CO_RANK_SHARES_H
#define CO_RANK_SHARES_H

#include "base/buf.h"
#include "rank/terms.h"

#define SHARES 15

/* A zeroed one is empty; release with shares_release(). */
struct shares {
	struct buf terms[SHARES]; /* each with its length before it */
};

/* Replace what S holds.  TITLE and SOURCE may be NULL. */
void shares_take(struct shares *s, struct terms *t, const char *const *tags,
		 size_t ntags, const char *title, const char *source);

/* Call FN for each term of the share STEP, from 0.  Nonzero from FN ends it
 * and is returned. */
typedef int shares_fn(void *ctx, const char *term, size_t len);
int shares_each(const struct shares *s, size_t step, shares_fn *fn, void *ctx);

void shares_release(struct shares *s);

#endif
