/* sentences.h: the encoder all-MiniLM-L6-v2, which reads a text as a whole.
 *
 * The file is mapped, and each section of it is verified by its checksum before
 * its first use: damage is an error and never another meaning. Equal texts have
 * equal vectors, byte for byte, on every machine. contrib/models/README.md has
 * the format and the origin of the model.
 */
#ifndef CO_EMBED_SENTENCES_H
#define CO_EMBED_SENTENCES_H

#include "base/err.h"
#include "embed/transformer.h"

#define SENTENCES_DIMENSION SIDE

/* Pieces of a text that count, without the two that begin and end it. */
#define SENTENCES_PIECES (PIECES - 2)

struct sentences;

/* Map the file PATH. Return 1, with *M to be released by sentences_close(); 0
 * if it is absent; -1 (ERR_DATA if it is damaged or of another version). */
int sentences_open(const char *path, struct sentences **m, struct err *e);
void sentences_close(struct sentences *m);

/* Return the file's checksum, which identifies the vectors made with it. */
uint64_t sentences_identity(const struct sentences *m);

/* Return the name of the kernel that is used; use KERNEL from now on. */
const char *sentences_kernel(const struct sentences *m);
void sentences_set_kernel(struct sentences *m,
			  const struct transformer_kernel *kernel);

/* Set OUT, SENTENCES_DIMENSION floats, to the vector of the text P, of length
 * 1. Several threads may do this at once. Return 1; 0 if the text has no
 * words (OUT is zeros); or -1 (ERR_DATA). */
int sentences_encode(struct sentences *m, const char *p, size_t len, float *out,
		     struct err *e);

#endif
