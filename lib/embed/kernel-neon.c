/* kernel-neon.c: for ARM with NEON. */
#if defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TILE_ROWS 4
#include "embed/layers.h"

#include <arm_neon.h>

/* Add to each of the four sums the products of four codes. */
INLINE int32x4_t add_products(int32x4_t sum, int8x16_t codes, const int8_t *x)
{
	int8x16_t y;

	y = vreinterpretq_s8_s32(vdupq_n_s32(load_four(x)));
	return vpadalq_s16(
		sum,
		vpaddq_s16(vmull_s8(vget_low_s8(codes), vget_low_s8(y)),
			   vmull_s8(vget_high_s8(codes), vget_high_s8(y))));
}

/* Multiply a quarter of a panel, 4 rows from row R, with the rows T to T + N.
 */
INLINE void multiply_tile(const struct transformer_matrix *m,
			  const struct kernels_rows *in, size_t r, size_t t,
			  const size_t n, float *out, size_t stride)
{
	float32x4_t total[4];

#pragma GCC unroll 4
	for (size_t i = 0; i < n; i++)
		total[i] = vdupq_n_f32(0);
	for (size_t g = 0; g < m->columns / GROUP; g++) {
		const unsigned char *c = panel_codes(m, r, g);
		int32x4_t sum[4];
		float scales[4];

		load_halves(panel_scales(m, r, g), 4, scales);
#pragma GCC unroll 4
		for (size_t i = 0; i < n; i++)
			sum[i] = vdupq_n_s32(row_offset(m, in, t + i, g));
#pragma GCC unroll 4
		for (size_t k = 0; k < GROUP / STEP; k++) {
			const uint8x16_t both = vld1q_u8(c + k * PANEL * 4);
			const int8x16_t one = vreinterpretq_s8_u8(
				vandq_u8(both, vdupq_n_u8(15)));
			const int8x16_t two =
				vreinterpretq_s8_u8(vshrq_n_u8(both, 4));

#pragma GCC unroll 4
			for (size_t i = 0; i < n; i++) {
				const int8_t *x =
					row_codes(m, in, t + i, g) + k * STEP;

				sum[i] = add_products(sum[i], one, x);
				sum[i] = add_products(sum[i], two, x + 4);
			}
		}
#pragma GCC unroll 4
		for (size_t i = 0; i < n; i++)
			total[i] = vaddq_f32(total[i],
					     vmulq_f32(vcvtq_f32_s32(sum[i]),
						       vld1q_f32(scales)));
	}
#pragma GCC unroll 4
	for (size_t i = 0; i < n; i++)
		vst1q_f32(out + (t + i) * stride + r,
			  vaddq_f32(vmulq_n_f32(total[i], in->scales[t + i]),
				    vreinterpretq_f32_u8(
					    vld1q_u8(m->bias + r * 4))));
}

KERNEL(kernels_neon)
#endif
