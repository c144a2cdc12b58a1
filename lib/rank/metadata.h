/* metadata.h: the words of a document's tags, title and source, with which a
 * question may name it.
 */
#ifndef CO_RANK_METADATA_H
#define CO_RANK_METADATA_H

#include "base/buf.h"
#include "rank/terms.h"

#define METADATA_WHOLE 255
#define METADATA_TERMS_MAX 64 /* per document; more are ignored */

/* SHARE: how much of its tag, title or source the term is, 1 to METADATA_WHOLE;
 * the largest of several. A result other than 0 ends the walk and is
 * returned. */
typedef int metadata_fn(void *ctx, const char *term, size_t len,
			uint32_t share);

/* Call FN once for each term of TAGS, TITLE and SOURCE (NULL: none), without
 * stop words. A source without a digit, such as user-told, is a kind of memory
 * and is ignored. */
int metadata_each(struct terms *t, const char *const *tags, size_t ntags,
		  const char *title, const char *source, metadata_fn *fn,
		  void *ctx);

/* These terms, stored in METADATA_STEPS steps by their share, rounded up. A
 * zeroed one is empty; release it with metadata_release(). */
#define METADATA_STEPS 15
struct metadata {
	struct buf terms[METADATA_STEPS]; /* each term after its length */
};

/* Replace the contents of M. */
void metadata_take(struct metadata *m, struct terms *t, const char *const *tags,
		   size_t ntags, const char *title, const char *source);

/* Call FN for each term of STEP, from 0. A result other than 0 ends the walk
 * and is returned. */
typedef int metadata_step_fn(void *ctx, const char *term, size_t len);
int metadata_step(const struct metadata *m, size_t step, metadata_step_fn *fn,
		  void *ctx);

void metadata_release(struct metadata *m);

#endif
