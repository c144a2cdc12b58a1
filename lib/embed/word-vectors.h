/* word-vectors.h: static word vectors, and texts as the mean of their words.
 *
 * The file is mapped, and looked up without reading it: a word names its
 * bucket, whose checksum is verified before its first use, so that what is
 * damaged is an error and never another meaning.  contrib/models/README.md
 * has the format and where the words come from.
 */
#ifndef CO_MODEL_H
#define CO_MODEL_H

#include "base/err.h"

/* The longest vector that anybody may give: those of the largest encoders. */
#define MODEL_DIMENSION_MAX 8192

struct model;

/* Map the file PATH.  1 (*M is yours, release with model_close()), 0 when it
 * is absent, -1: ERR_DATA where it is damaged or of another version. */
int model_open(const char *path, struct model **m, struct err *e);
void model_close(struct model *m);

size_t model_dimension(const struct model *m);

/* The file's own checksum, by which vectors made of it are known. */
uint64_t model_identity(const struct model *m);

/* 1 if WORD, folded and not stemmed, has a vector; 0, or -1 (ERR_DATA). */
int model_knows(struct model *m, const char *word, size_t len, struct err *e);

/* The meaning of the text P, not of unit length, in OUT, dimension floats.
 * Words that are unknown, and stop words, count nothing.  1, 0 when no word
 * counts (OUT is zeros), -1 (ERR_DATA). */
int model_text(struct model *m, const char *p, size_t len, float *out,
	       struct err *e);

#endif
