/* vectors.h: the vectors of a store's documents, in a file for each encoder.
 *
 * $XDG_CACHE_HOME/co-cli/KEY/vectors-ENCODER has a row a document (see
 * vector-file.h and co-cache(5)).  A vector depends on its text and the encoder
 * alone, so none is made twice; how near a document is to a question depends on
 * what the store holds now, and on nothing else.
 */
#ifndef CO_EMBED_VECTORS_H
#define CO_EMBED_VECTORS_H

#include "cache/cache.h"
#include "embed/embed.h"

struct vectors;

/* What is kept for the documents of C by the encoder M, which both outlive it.
 * Nothing is made yet.  Release with vectors_close().  Cannot fail: what cannot
 * be read is not there. */
struct vectors *vectors_open(struct cache *c, struct embed *m);
void vectors_close(struct vectors *v);

/* Documents that have no vector yet. */
size_t vectors_missing(const struct vectors *v);

/* The encoder gives vectors of DIMENSION numbers now: others that are kept are
 * of no use. */
void vectors_expect(struct vectors *v, size_t dimension);

/* True if something was kept that is of no use. */
bool vectors_damaged(const struct vectors *v);

/* Make the vectors that are missing, the MOST oldest of them.  With KEEP they
 * are written: the lock of the cache folder is held.  What cannot be written is
 * done without.  -1: the encoder failed (ERR_HELPER, ERR_DATA); what it made
 * before is there. */
int vectors_update(struct vectors *v, bool keep, size_t most, struct err *e);

/* The documents of one store, and room for an answer for each. */
struct vectors_part {
	const struct vectors *v; /* NULL: they have no vectors */
	const uint32_t *numbers; /* ascending */
	size_t n;
	float *cosines; /* -1 to 1; 0 where there is no vector */
};

/* How near the documents of PARTS, which have one encoder, are to QUESTION, a
 * vector of DIMENSION numbers: the cosine, after the mean
 * of all documents was taken from both, since what all have in common tells
 * none from the other. */
void vectors_compare(const struct vectors_part *parts, size_t nparts,
		     const float *query, size_t dimension);

#endif
