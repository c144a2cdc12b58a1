/* metadata.h: the words by which a question names a document: its tags, its
 * title and its source.
 */
#ifndef CO_RANK_METADATA_H
#define CO_RANK_METADATA_H

#include "base/buf.h"
#include "rank/terms.h"

#define METADATA_WHOLE 255
#define METADATA_TERMS_MAX 64 /* a document; what is more is left out */

/* Nonzero ends the walk and is returned.  SHARE: how much of the tag, title or
 * source the term is, 1 to METADATA_WHOLE; of several, the most. */
typedef int metadata_fn(void *ctx, const char *term, size_t len,
			uint32_t share);

/* Call FN once for each term of TAGS, TITLE and SOURCE (NULL: none), stop words
 * left out, as is a source that tells what kind a memory is (user-told) and not
 * whence it comes: it has no digit. */
int metadata_each(struct terms *t, const char *const *tags, size_t ntags,
		  const char *title, const char *source, metadata_fn *fn,
		  void *ctx);

/* The same terms, kept in METADATA_STEPS steps by their share, rounded up.  A
 * zeroed one is empty; release with metadata_release(). */
#define METADATA_STEPS 15
struct metadata {
	struct buf terms[METADATA_STEPS]; /* each with its length before it */
};

/* Replace what M holds. */
void metadata_take(struct metadata *m, struct terms *t, const char *const *tags,
		   size_t ntags, const char *title, const char *source);

/* Call FN for each term of the STEP, from 0.  Nonzero from FN ends it and is
 * returned. */
typedef int metadata_step_fn(void *ctx, const char *term, size_t len);
int metadata_step(const struct metadata *m, size_t step, metadata_step_fn *fn,
		  void *ctx);

void metadata_release(struct metadata *m);

#endif
