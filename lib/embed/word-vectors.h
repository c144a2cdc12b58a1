/* word-vectors.h: static word vectors, and texts as the mean of their words.
 *
 * The file is mapped, and looked up without reading it: a word names its
 * bucket, whose checksum is verified before its first use, so that what is
 * damaged is an error and never another meaning.  contrib/models/README.md
 * has the format and where the words come from.
 */
#ifndef CO_EMBED_WORD_VECTORS_H
#define CO_EMBED_WORD_VECTORS_H

#include "base/err.h"

/* The longest vector that anybody may give: those of the largest encoders. */
#define WORD_VECTORS_DIMENSION_MAX 8192

struct word_vectors;

/* Map the file PATH.  1 (*M is yours, release with word_vectors_close()), 0
 * when it is absent, -1: ERR_DATA where it is damaged or of another version. */
int word_vectors_open(const char *path, struct word_vectors **m, struct err *e);
void word_vectors_close(struct word_vectors *m);

size_t word_vectors_dimension(const struct word_vectors *m);

/* The file's own checksum, by which vectors made of it are known. */
uint64_t word_vectors_identity(const struct word_vectors *m);

/* 1 if WORD, folded and not stemmed, has a vector; 0, or -1 (ERR_DATA).
 * *PLACE, if it is not NULL, gets its place among the words of English by how
 * frequent they are, from 0. */
int word_vectors_knows(struct word_vectors *m, const char *word, size_t len,
		       uint32_t *place, struct err *e);

/* The meaning of the text P, not of unit length, in OUT, dimension floats.
 * Words that are unknown, and stop words, count nothing.  1, 0 when no word
 * counts (OUT is zeros), -1 (ERR_DATA). */
int word_vectors_text(struct word_vectors *m, const char *p, size_t len,
		      float *out, struct err *e);

#endif
