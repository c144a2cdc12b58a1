/* vectors.h: the vectors of a store's documents, in one file for each encoder.
 *
 * $XDG_CACHE_HOME/co-cli/KEY/vectors-ENCODER has a row for each document (see
 * vector-file.h). A vector depends only on its text and the
 * encoder, so a stored one serves each equal text. Except for the static encoder,
 * the text of a memory in a conversation begins with the speaker, if it has one
 * tag. The similarity of a document to a question depends only on the current
 * contents of the store. An encoder that is a program of the user never gets the
 * text of a sensitive document.
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

/* Return no vectors yet, of DIMENSION numbers, which belong to no store. Only
 * vectors_put(), vectors_compare() and vectors_close() take the result.
 * vectors_put() adds that of the document NUMBER, unless there is one; P has a byte
 * for each of its numbers, as vectors_pack() wrote them. */
struct vectors *vectors_new(size_t dimension);
void vectors_put(struct vectors *v, uint32_t number, const char *p);

/* Append to OUT the vector X of DIMENSION numbers, a byte each. */
void vectors_pack(struct buf *out, const float *x, size_t dimension);

/* Set *TEXT and *LEN, in A or borrowed, to what M encodes for D. It reads only title,
 * source, text and keys of D, and its tag if it has exactly one. */
void vectors_text(const struct embed *m, const struct view_doc *d,
		  const char **text, size_t *len, struct arena *a);

/* Return the number of documents without a vector. */
size_t vectors_missing(const struct vectors *v);

/* Discard the stored vectors unless they have DIMENSION numbers, the length
 * that the encoder makes. vectors_damaged() is then true. */
void vectors_expect(struct vectors *v, size_t dimension);

/* Read the vectors that other processes have stored meanwhile. Do nothing if V has
 * some that could not be written. */
void vectors_reload(struct vectors *v);

/* Return true if stored vectors were unusable. */
bool vectors_damaged(const struct vectors *v);

/* What making vectors may cost. */
struct vectors_budget {
	size_t texts;	   /* to encode; each one that was is subtracted */
	uint64_t until_ns; /* of this process's processor time: none is begun
			    * later; 0: no end */
};

/* Make missing vectors within BUDGET, newest documents first. If KEEP, write
 * them; the caller must then hold the lock of the cache directory. A failed
 * write is ignored. Return 0, or -1 if the encoder failed (ERR_HELPER,
 * ERR_DATA); V keeps the vectors that were made before. */
int vectors_update(struct vectors *v, bool keep, struct vectors_budget *budget,
		   struct err *e);

/* The documents of one store, with room for results. */
struct vectors_part {
	const struct vectors *v; /* NULL: no vectors */
	const uint32_t *numbers; /* of all documents that exist; ascending */
	size_t n;
	float *cosines; /* N results, -1 to 1; 0 without a vector */
};

/* Set the cosines of all PARTS, which have one encoder: the similarity of each
 * document to QUERY, a vector of DIMENSION numbers. The mean of all documents
 * is subtracted from both first, less of it if there are few, since features
 * common to all documents do not distinguish them. */
void vectors_compare(const struct vectors_part *parts, size_t nparts,
		     const float *query, size_t dimension);

#endif
