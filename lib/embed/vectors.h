/* vectors.h: the vectors of a store's documents, in one file for each encoder.
 *
 * $XDG_CACHE_HOME/co-cli/KEY/vectors-ENCODER has a row for each document (see
 * vector-file.h and co-cache(5)). A vector depends only on its text and the
 * encoder, so none is made twice. The similarity of a document to a question
 * depends only on the current contents of the store.
 */
#ifndef CO_EMBED_VECTORS_H
#define CO_EMBED_VECTORS_H

#include "cache/cache.h"
#include "embed/embed.h"

struct vectors;

/* Open the stored vectors of C's documents for the encoder M; both must outlive
 * the result. Nothing is encoded yet. Unreadable vectors count as missing.
 * Release with vectors_close(). */
struct vectors *vectors_open(struct cache *c, struct embed *m);
void vectors_close(struct vectors *v);

/* Return the number of documents without a vector. */
size_t vectors_missing(const struct vectors *v);

/* Report that the encoder makes vectors of DIMENSION numbers: stored ones of
 * another length are discarded. */
void vectors_expect(struct vectors *v, size_t dimension);

/* Return true if stored vectors were unusable. */
bool vectors_damaged(const struct vectors *v);

/* Make the missing vectors, the MOST oldest ones. If KEEP, write them; the
 * caller then holds the lock of the cache directory. A failed write is ignored.
 * Return 0, or -1 if the encoder failed (ERR_HELPER, ERR_DATA); vectors made
 * before stay. */
int vectors_update(struct vectors *v, bool keep, size_t most, struct err *e);

/* The documents of one store, with room for results. */
struct vectors_part {
	const struct vectors *v; /* NULL: no vectors */
	const uint32_t *numbers; /* ascending */
	size_t n;
	float *cosines; /* results, -1 to 1; 0 without a vector */
};

/* Set the cosines of all PARTS, which have one encoder: the similarity of each
 * document to QUERY, a vector of DIMENSION numbers. The mean of all documents
 * is subtracted from both first, since what all have in common does not
 * distinguish them. */
void vectors_compare(const struct vectors_part *parts, size_t nparts,
		     const float *query, size_t dimension);

#endif
