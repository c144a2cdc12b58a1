/* kernels.h: the kernels of the layers, one for each set of instructions. */
#ifndef CO_EMBED_KERNELS_H
#define CO_EMBED_KERNELS_H

#include "embed/transformer.h"

#define KERNELS_BLOCK 32  /* pieces that the large matrices are applied to */
#define KERNELS_QUERIES 4 /* of one pass of attention */

/* Rows of floats in bytes: a number is code * scale. */
struct kernels_rows {
	int8_t *codes;
	int32_t *offsets; /* of each group, -8 times the sum of its codes */
	float *scales;	  /* of each row */
};

/* What one text needs. */
struct kernels_work {
	float *hidden, *asked; /* of all pieces; asked: queries, keys, values */
	float *inner, *added;  /* of a block */
	float *keys, *scores;
	struct kernels_rows coded;
	size_t n, room; /* pieces; and rounded up to whole lanes */
};

/* Run the layers on the pieces of W. */
typedef void kernels_run(const struct transformer_norm *first,
			 const struct transformer_layer *layers, size_t nlayers,
			 struct kernels_work *w);

kernels_run kernels_portable, kernels_ssse3, kernels_avx2, kernels_vnni,
	kernels_neon;

#endif
