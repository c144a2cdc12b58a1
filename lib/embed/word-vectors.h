/* word-vectors.h: static word vectors, and texts as the sum of their words.
 *
 * The file is mapped. A word is looked up in its bucket, whose checksum is
 * verified before its first use: damage is an error and never another meaning.
 * contrib/models/README.md has the format and the origin of the words.
 */
#ifndef CO_EMBED_WORD_VECTORS_H
#define CO_EMBED_WORD_VECTORS_H

#include "base/err.h"

/* The longest vector that any encoder may return. */
#define WORD_VECTORS_DIMENSION_MAX 8192

struct word_vectors;

/* Map the file PATH. Return 1, with *M to be released by word_vectors_close();
 * 0 if it is absent; -1 (ERR_DATA if it is damaged or of another version). */
int word_vectors_open(const char *path, struct word_vectors **m, struct err *e);
void word_vectors_close(struct word_vectors *m);

size_t word_vectors_dimension(const struct word_vectors *m);

/* Return the file's checksum, which identifies the vectors made from it. */
uint64_t word_vectors_identity(const struct word_vectors *m);

/* Return 1 if WORD, folded and not stemmed, has a vector, else 0, or -1
 * (ERR_DATA). If PLACE is not NULL, *PLACE gets the rank of WORD among English
 * words by frequency, from 0. */
int word_vectors_knows(struct word_vectors *m, const char *word, size_t len,
		       uint32_t *place, struct err *e);

/* Set OUT, dimension floats, to the vector of the text P, not of unit length.
 * Unknown words and stop words are ignored. Return 1, 0 if no word counts (OUT
 * is zeros), or -1 (ERR_DATA). */
int word_vectors_text(struct word_vectors *m, const char *p, size_t len,
		      float *out, struct err *e);

#endif
