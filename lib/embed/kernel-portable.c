/* kernel-portable.c: for any machine, with eight numbers of 16 bits at a time,
 * which compilers turn into whatever the machine has. */
#define TILE_ROWS 4
#include "embed/layers.h"

typedef int16_t shorts __attribute__((vector_size(16)));
typedef int16_t memory_shorts
	__attribute__((vector_size(16), aligned(1), may_alias));
typedef uint32_t words __attribute__((vector_size(16)));

/* Return P[0] and P[2] in turn. */
INLINE shorts alternate(const int8_t *p)
{
	const uint32_t first = (uint32_t)p[COMPAT_SWAPS ? 2 : 0] & 0xFFFF;
	const uint32_t both = first | (uint32_t)p[COMPAT_SWAPS ? 0 : 2] << 16;

	return (shorts)(words){both, both, both, both};
}

/* Multiply a quarter of a panel, 4 rows from row R, with the rows T to T + N.
 * Each number of 16 bits has two codes of a row. */
INLINE void multiply_tile(const struct transformer_matrix *m,
			  const struct kernels_rows *in, size_t r, size_t t,
			  const size_t n, float *out, size_t stride)
{
	float total[4][4] = {{0}}, scales[4];

	for (size_t g = 0; g < m->columns / GROUP; g++) {
		const unsigned char *c = panel_codes(m, r, g);
		shorts sum[4] = {{0}};

		load_halves(panel_scales(m, r, g), 4, scales);
		for (size_t k = 0; k < GROUP; k += STEP, c += PANEL * 4) {
			const shorts both = *(const memory_shorts *)c;
			const shorts low = COMPAT_SWAPS ? both >> 8 : both;
			const shorts high = COMPAT_SWAPS ? both : both >> 8;

#pragma GCC unroll 4
			for (size_t i = 0; i < n; i++) {
				const int8_t *x =
					row_codes(m, in, t + i, g) + k;

				sum[i] += (low & 15) * alternate(x);
				sum[i] += (high & 15) * alternate(x + 1);
				sum[i] += (low >> 4 & 15) * alternate(x + 4);
				sum[i] += (high >> 4 & 15) * alternate(x + 5);
			}
		}
#pragma GCC unroll 4
		for (size_t i = 0; i < n; i++) {
			const int32_t offset = row_offset(m, in, t + i, g);

			for (size_t k = 0; k < 4; k++)
				total[i][k] =
					total[i][k] +
					(float)(sum[i][2 * k] +
						sum[i][2 * k + 1] + offset) *
						scales[k];
		}
	}
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < 4; k++) {
			const size_t row = r + k;

			out[(t + i) * stride + row] =
				total[i][k] * in->scales[t + i] +
				load_float(m->bias + row * 4);
		}
	}
}

KERNEL(kernels_portable)
