/* transformer.h: the layers that turn the vectors of a text's pieces into one
 * vector of the text: attention, then two matrices, six times; then the mean.
 *
 * The result is equal, byte for byte, on every machine and with every kernel:
 * products of bytes are summed as integers, and each sum of floats has one
 * fixed order.
 *
 * Matrices are read where they lie, as contrib/models/README.md describes them,
 * in any byte order. Any bytes are valid; the result of some is not finite.
 */
#ifndef CO_EMBED_TRANSFORMER_H
#define CO_EMBED_TRANSFORMER_H

#include "embed/kernels.h"

/* The implementations of the arithmetic; all give equal results. */
struct transformer_kernel;

/* Return the fastest kernel that this processor has. */
const struct transformer_kernel *transformer_fastest(void);

/* Return kernel I, from 0, of those that this processor has; NULL: there are no
 * more. */
const struct transformer_kernel *transformer_kernel(size_t i);

const char *transformer_kernel_name(const struct transformer_kernel *k);

/* The sum of a row of 4 bits, a row of half floats and nothing else is the
 * vector of a piece at a place: write it to OUT, SIDE floats. */
void transformer_piece(const unsigned char *row, const unsigned char *place,
		       float *out);

/* Set OUT, SIDE floats, to the vector of length 1 of a text of N pieces, at most
 * PIECES. `pieces` has the vector of each, and is overwritten. Return false if the
 * result is not finite. */
bool transformer_run(const struct transformer_kernel *k,
		     const struct transformer_norm *first,
		     const struct transformer_layer *layers, size_t nlayers,
		     float *pieces, size_t n, float *out);

#endif
