/* kernel-ssse3.c: for x86 with SSSE3. The codes are at most 15, so the products of
 * a group fit 16 bits. */
#if defined(__x86_64__) || defined(__i386__)
#define TILE_ROWS 4
#include "embed/layers.h"

#include <immintrin.h>

/* Multiply a quarter of a panel, 4 rows from row R, with the rows T to T + N.
 */
INLINE void multiply_tile(const struct transformer_matrix *m,
			  const struct kernels_rows *in, size_t r, size_t t,
			  const size_t n, float *out, size_t stride)
{
	const __m128i low = _mm_set1_epi8(15), ones = _mm_set1_epi16(1);
	__m128 total[4];

#pragma GCC unroll 4
	for (size_t i = 0; i < n; i++)
		total[i] = _mm_setzero_ps();
	for (size_t g = 0; g < m->columns / GROUP; g++) {
		const unsigned char *c = panel_codes(m, r, g);
		float scales[4];
		__m128i sum[4];

		load_halves(panel_scales(m, r, g), 4, scales);
#pragma GCC unroll 4
		for (size_t i = 0; i < n; i++)
			sum[i] = _mm_setzero_si128();
/* Unrolled, it needs more registers than there are. */
#pragma GCC unroll 1
		for (size_t k = 0; k < GROUP / STEP; k++) {
			const __m128i both = _mm_loadu_si128(
				(const void *)(c + k * PANEL * 4));
			const __m128i one = _mm_and_si128(both, low);
			const __m128i two =
				_mm_and_si128(_mm_srli_epi16(both, 4), low);

#pragma GCC unroll 4
			for (size_t i = 0; i < n; i++) {
				const int8_t *x =
					row_codes(m, in, t + i, g) + k * STEP;

				sum[i] = _mm_add_epi16(
					sum[i],
					_mm_maddubs_epi16(
						one,
						_mm_set1_epi32(load_four(x))));
				sum[i] = _mm_add_epi16(
					sum[i],
					_mm_maddubs_epi16(
						two, _mm_set1_epi32(load_four(
							     x + 4))));
			}
		}
#pragma GCC unroll 4
		for (size_t i = 0; i < n; i++) {
			const __m128i all = _mm_add_epi32(
				_mm_madd_epi16(sum[i], ones),
				_mm_set1_epi32(row_offset(m, in, t + i, g)));

			total[i] = _mm_add_ps(total[i],
					      _mm_mul_ps(_mm_cvtepi32_ps(all),
							 _mm_loadu_ps(scales)));
		}
	}
#pragma GCC unroll 4
	for (size_t i = 0; i < n; i++)
		_mm_storeu_ps(
			out + (t + i) * stride + r,
			_mm_add_ps(
				_mm_mul_ps(total[i],
					   _mm_set1_ps(in->scales[t + i])),
				_mm_loadu_ps((const void *)(m->bias + r * 4))));
}

KERNEL(kernels_ssse3)
#endif
