/* layers.h: the arithmetic of the layers, compiled once for each kernel.
 *
 * A file kernel-X.c defines TILE_ROWS, includes this, and defines
 * multiply_tile() with the instructions of its processors. The Makefile compiles
 * it with -O3 for these processors, so that the compiler uses their instructions
 * for all loops here; and without contraction, so that results are equal
 * everywhere.
 *
 * Sums of floats run over the columns for each row by itself, or over eight
 * lanes that are added at the end, in the same order everywhere. Exponentials
 * are computed here, since those of C libraries differ.
 *
 * The two large matrices are applied to BLOCK pieces at a time, so that what
 * lies between them stays in the cache.
 */
#ifndef CO_EMBED_LAYERS_H
#define CO_EMBED_LAYERS_H

#include "embed/kernels.h"
#include "embed/lanes.h"

#include <math.h>

#define PANEL 16 /* rows whose codes are interleaved */
#define PANEL_BYTES (PANEL * GROUP / 2)
#define STEP 8 /* columns in one load of a panel */
#define MASKED -1e30F

/* Adding this to a small float leaves its nearest integer in the lowest bits. */
#define ROUND 0x1.8p23F
#define ROUND_BITS 0x4B400000

/* Return e to the powers X <= 0, or nearly 0 for NaN: 2 to the
 * whole part of X / ln 2, times a polynomial of the rest. */
INLINE lanes exponential(lanes x)
{
	lanes whole, rest, p;
	bits power;

	x = greater(x, all_lanes(-87.F));
	whole = x * 1.44269504F + ROUND;
	power = lanes_bits(whole) - ROUND_BITS;
	whole = whole - ROUND;
	rest = x - whole * 0.693359375F;
	rest = rest + whole * 2.12194440e-4F;
	p = all_lanes(1.9875691500e-4F);
	p = p * rest + 1.3981999507e-3F;
	p = p * rest + 8.3334519073e-3F;
	p = p * rest + 4.1665795894e-2F;
	p = p * rest + 1.6666665459e-1F;
	p = p * rest + 5.0000001201e-1F;
	p = p * rest * rest + rest + 1.F;
	return p * bits_lanes((power + 127) << 23);
}

/* Return the activations of X: X times the share of a normal distribution that
 * lies below X, by a formula of Abramowitz and Stegun (7.1.26). */
INLINE lanes activation(lanes x)
{
	const lanes far = without_sign(x) * 0.70710678F;
	const lanes t = 1.F / (1.F + far * 0.3275911F);
	lanes p = all_lanes(1.061405429F), tail;

	p = p * t - 1.453152027F;
	p = p * t + 1.421413741F;
	p = p * t - 0.284496736F;
	p = p * t + 0.254829592F;
	tail = p * t * exponential(-far * far) * 0.5F;
	return x * choose((signed_bits)(x < 0.F), tail, 1.F - tail);
}

/* Set CODES to the GROUP floats X times FACTOR, rounded. Return the sum of them.
 * Compilers turn this loop into instructions for vectors, but take the bytes out
 * of a vector one by one. */
INLINE uint32_t encode_group(const float *x, float factor, int8_t *codes)
{
	uint32_t sum = 0;

	for (size_t k = 0; k < GROUP; k++) {
		const float y = x[k] * factor + ROUND;
		uint32_t code;

		memcpy(&code, &y, sizeof(code));
		code -= ROUND_BITS;
		codes[k] = (int8_t)code;
		sum += code;
	}
	return sum;
}

/* Set row I of OUT to the N floats X. What is not finite makes the row
 * useless, which transformer_run() finds at the end. */
INLINE void encode_row(struct kernels_rows *out, size_t i, const float *x,
		       size_t n)
{
	int8_t *codes = out->codes + i * n;
	int32_t *offsets = out->offsets + i * (n / GROUP);
	lanes most = all_lanes(0);
	float max, factor;

	for (size_t k = 0; k < n; k += LANES)
		most = greater(without_sign(load_lanes(x + k)), most);
	max = greatest(most);
	factor = max > 0 ? 127.F / max : 0;
	out->scales[i] = max / 127.F;
	for (size_t g = 0; g < n / GROUP; g++)
		offsets[g] = (int32_t)(-8U * encode_group(x + g * GROUP, factor,
							  codes + g * GROUP));
}

/* Add B to A, and normalise: subtract the mean, and divide by the deviation. */
INLINE void normalise(float *a, const float *b,
		      const struct transformer_norm *norm)
{
	lanes sum = all_lanes(0), squares = all_lanes(0);
	float mean, factor;

	for (size_t i = 0; i < SIDE; i += LANES) {
		lanes x = load_lanes(a + i);

		if (b)
			x += load_lanes(b + i);
		store_lanes(a + i, x);
		sum += x;
	}
	mean = sum_lanes(sum) / SIDE;
	for (size_t i = 0; i < SIDE; i += LANES) {
		const lanes x = load_lanes(a + i) - all_lanes(mean);

		squares += x * x;
	}
	factor = 1.F / sqrtf(sum_lanes(squares) / SIDE + 1e-12F);
	for (size_t i = 0; i < SIDE; i += LANES) {
		const lanes x = load_lanes(a + i) - all_lanes(mean);

		store_lanes(a + i,
			    x * all_lanes(factor) *
					    load_floats(norm->factors + i * 4) +
				    load_floats(norm->summands + i * 4));
	}
}

/* Return the codes, or the scales, of group G of the rows from R to the end of
 * their panel. */
INLINE const unsigned char *panel_codes(const struct transformer_matrix *m,
					size_t r, size_t g)
{
	const size_t groups = m->columns / GROUP;

	return m->codes + (r / PANEL * groups + g) * PANEL_BYTES +
	       r % PANEL * 4;
}

INLINE const unsigned char *panel_scales(const struct transformer_matrix *m,
					 size_t r, size_t g)
{
	const size_t groups = m->columns / GROUP;

	return m->scales + ((r / PANEL * groups + g) * PANEL + r % PANEL) * 2;
}

/* Return the offset of group G of row T. */
INLINE int32_t row_offset(const struct transformer_matrix *m,
			  const struct kernels_rows *in, size_t t, size_t g)
{
	return in->offsets[t * (m->columns / GROUP) + g];
}

INLINE const int8_t *row_codes(const struct transformer_matrix *m,
			       const struct kernels_rows *in, size_t t,
			       size_t g)
{
	return in->codes + t * m->columns + g * GROUP;
}

/* Return the four bytes at P. */
INLINE int32_t load_four(const int8_t *p)
{
	int32_t x;

	memcpy(&x, p, sizeof(x));
	return x;
}

/* Call TILE(T, COUNT) for all N rows, with a constant COUNT of 4 or less. */
#define FOR_TILES(n, TILE)                 \
	do {                               \
		size_t t = 0;              \
                                           \
		for (; (n)-t >= 4; t += 4) \
			TILE(t, 4);        \
		if ((n)-t == 3)            \
			TILE(t, 3);        \
		else if ((n)-t == 2)       \
			TILE(t, 2);        \
		else if ((n)-t == 1)       \
			TILE(t, 1);        \
	} while (0)

/* Set, in each of the N rows of OUT from row T, STRIDE floats apart, the products of
 * row T of IN and so on with the TILE_ROWS rows of M from row R. N is at most
 * 4. Each kernel defines it. */
INLINE void multiply_tile(const struct transformer_matrix *m,
			  const struct kernels_rows *in, size_t r, size_t t,
			  const size_t n, float *out, size_t stride);

/* Set the N rows of OUT, STRIDE floats apart, to the products of M with the
 * rows of IN. */
INLINE void multiply(const struct transformer_matrix *m,
		     const struct kernels_rows *in, size_t n, float *out,
		     size_t stride)
{
#define TILE(t, count) multiply_tile(m, in, r, t, count, out, stride)
	for (size_t r = 0; r < m->rows; r += TILE_ROWS)
		FOR_TILES(n, TILE);
#undef TILE
}

/* Set the scores of the QUERIES queries from Q, STRIDE floats apart, with all
 * keys of their head, which are transposed in W. */
INLINE void score_keys(struct kernels_work *w, const float *q, size_t stride)
{
	for (size_t j = 0; j < w->room; j += LANES) {
		lanes sum[QUERIES];

#pragma GCC unroll 4
		for (size_t i = 0; i < QUERIES; i++)
			sum[i] = all_lanes(0);
		for (size_t d = 0; d < WIDTH; d++) {
			const lanes key = load_lanes(w->keys + d * w->room + j);

#pragma GCC unroll 4
			for (size_t i = 0; i < QUERIES; i++)
				sum[i] += q[i * stride + d] * key;
		}
#pragma GCC unroll 4
		for (size_t i = 0; i < QUERIES; i++)
			store_lanes(w->scores + i * w->room + j, sum[i]);
	}
}

/* Turn the scores P into shares, up to a factor. Return what divides them. */
INLINE float share_scores(const struct kernels_work *w, float *p)
{
	lanes most = all_lanes(MASKED), sum = all_lanes(0);
	float max;

	for (size_t j = w->n; j < w->room; j++)
		p[j] = MASKED;
	for (size_t j = 0; j < w->room; j += LANES)
		most = greater(load_lanes(p + j), most);
	max = greatest(most);
	for (size_t j = 0; j < w->room; j += LANES)
		store_lanes(p + j, exponential(load_lanes(p + j) - max));
	for (size_t j = w->n; j < w->room; j++)
		p[j] = 0;
	for (size_t j = 0; j < w->room; j += LANES)
		sum += load_lanes(p + j);
	return sum_lanes(sum);
}

/* Replace the queries Q, STRIDE floats apart, by the means of the values V,
 * with their scores as shares, which SUMS divide. */
INLINE void mix_values(const struct kernels_work *w, const float *sums,
		       const float *v, size_t stride, float *q)
{
	for (size_t d = 0; d < WIDTH; d += 2 * LANES) {
		lanes total[QUERIES][2];

#pragma GCC unroll 4
		for (size_t i = 0; i < QUERIES; i++)
			total[i][0] = total[i][1] = all_lanes(0);
		for (size_t j = 0; j < w->n; j++) {
			const lanes a = load_lanes(v + j * stride + d);
			const lanes b = load_lanes(v + j * stride + d + LANES);

#pragma GCC unroll 4
			for (size_t i = 0; i < QUERIES; i++) {
				const float share = w->scores[i * w->room + j];

				total[i][0] += share * a;
				total[i][1] += share * b;
			}
		}
#pragma GCC unroll 4
		for (size_t i = 0; i < QUERIES; i++) {
			store_lanes(q + i * stride + d,
				    total[i][0] * (1.F / sums[i]));
			store_lanes(q + i * stride + d + LANES,
				    total[i][1] * (1.F / sums[i]));
		}
	}
}

/* Replace the queries in W by what they find in head H. There are unused rows
 * after the last piece. */
INLINE void attend_head(struct kernels_work *w, size_t h)
{
	const size_t stride = 3 * SIDE;
	float *q = w->asked + h * WIDTH;
	const float *k = q + SIDE, *v = k + SIDE;
	float sums[QUERIES];

	for (size_t j = 0; j < w->n; j++) {
		for (size_t d = 0; d < WIDTH; d++)
			w->keys[d * w->room + j] =
				k[j * stride + d] * 0.17677670F;
	}
	for (size_t i = 0; i < w->n; i += QUERIES) {
		score_keys(w, q + i * stride, stride);
		for (size_t a = 0; a < QUERIES; a++)
			sums[a] = share_scores(w, w->scores + a * w->room);
		mix_values(w, sums, v, stride, q + i * stride);
	}
}

INLINE void run_layer(const struct transformer_layer *layer,
		      struct kernels_work *w)
{
	for (size_t i = 0; i < w->n; i += BLOCK) {
		const size_t n = w->n - i < BLOCK ? w->n - i : BLOCK;

		for (size_t k = 0; k < n; k++)
			encode_row(&w->coded, k, w->hidden + (i + k) * SIDE,
				   SIDE);
		multiply(&layer->ask, &w->coded, n, w->asked + i * 3 * SIDE,
			 3 * SIDE);
	}
	for (size_t h = 0; h < HEADS; h++)
		attend_head(w, h);
	for (size_t i = 0; i < w->n; i += BLOCK) {
		const size_t n = w->n - i < BLOCK ? w->n - i : BLOCK;
		float *x = w->hidden + i * SIDE;

		for (size_t k = 0; k < n; k++)
			encode_row(&w->coded, k, w->asked + (i + k) * 3 * SIDE,
				   SIDE);
		multiply(&layer->answer, &w->coded, n, w->added, SIDE);
		for (size_t k = 0; k < n; k++) {
			normalise(x + k * SIDE, w->added + k * SIDE,
				  &layer->middle);
			encode_row(&w->coded, k, x + k * SIDE, SIDE);
		}
		multiply(&layer->up, &w->coded, n, w->inner, INNER);
		for (size_t k = 0; k < n * INNER; k += LANES)
			store_lanes(w->inner + k,
				    activation(load_lanes(w->inner + k)));
		for (size_t k = 0; k < n; k++)
			encode_row(&w->coded, k, w->inner + k * INNER, INNER);
		multiply(&layer->down, &w->coded, n, w->added, SIDE);
		for (size_t k = 0; k < n; k++)
			normalise(x + k * SIDE, w->added + k * SIDE,
				  &layer->end);
	}
}

INLINE void run_layers(const struct transformer_norm *first,
		       const struct transformer_layer *layers, size_t nlayers,
		       struct kernels_work *w)
{
	for (size_t i = 0; i < w->n; i++)
		normalise(w->hidden + i * SIDE, NULL, first);
	for (size_t i = 0; i < nlayers; i++)
		run_layer(&layers[i], w);
}

/* Define NAME, a kernel as kernels.h declares it. */
#define KERNEL(name)                                                      \
	void name(const struct transformer_norm *first,                   \
		  const struct transformer_layer *layers, size_t nlayers, \
		  struct kernels_work *w)                                 \
	{                                                                 \
		run_layers(first, layers, nlayers, w);                    \
	}

#endif
