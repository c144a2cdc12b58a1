/* kernels.h: the kernels of the layers, one for each set of instructions, and
 * what they work on. Its constants have short names: only the encoder of sentences
 * uses them. */
#ifndef CO_EMBED_KERNELS_H
#define CO_EMBED_KERNELS_H

#include "base/base.h"

#define SIDE 384   /* numbers of a vector */
#define INNER 1536 /* of the vectors between the two matrices */
#define HEADS 12
#define WIDTH (SIDE / HEADS) /* numbers of a head */
#define PIECES 256	     /* of a text, at most */
#define GROUP 32	     /* numbers that have one scale */

/* A matrix in 4 bits: a number is (code - 8) * scale. All are borrowed from the model's
 * file; layers.h has the order of their bytes. */
struct transformer_matrix {
	const unsigned char *codes, *scales, *bias;
	size_t rows, columns; /* multiples of 16 and of GROUP */
};

/* Factors and summands of a normalisation, SIDE floats each. */
struct transformer_norm {
	const unsigned char *factors, *summands;
};

struct transformer_layer {
	struct transformer_matrix ask; /* queries, keys and values */
	struct transformer_matrix answer, up, down;
	struct transformer_norm middle, end;
};

#define BLOCK 32  /* pieces that the large matrices are applied to */
#define QUERIES 4 /* of one pass of attention */

/* Rows of floats in bytes: a number is code * scale. */
struct kernels_rows {
	int8_t *codes;
	int32_t *offsets; /* of each group, -8 times the sum of its codes */
	float *scales;	  /* of each row */
};

/* The memory for one text, which the caller allocates: see transformer.c. HIDDEN is the
 * input and the result, SIDE numbers for each piece. */
struct kernels_work {
	float *hidden, *asked; /* of all pieces; asked: queries, keys, values */
	float *inner, *added;  /* of a block */
	float *keys, *scores;
	struct kernels_rows coded;
	size_t n, room; /* pieces; and rounded up to whole lanes */
};

/* Run the layers on the pieces of W, after the normalisation FIRST. Cannot fail. */
typedef void kernels_run(const struct transformer_norm *first,
			 const struct transformer_layer *layers, size_t nlayers,
			 struct kernels_work *w);

kernels_run kernels_portable, kernels_ssse3, kernels_avx2, kernels_vnni,
	kernels_neon;

#endif
