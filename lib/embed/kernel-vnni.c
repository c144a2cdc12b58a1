/* kernel-vnni.c: for x86 with AVX-512 VNNI, which multiplies and adds four
 * bytes at once. */
#if defined(__x86_64__) || defined(__i386__)
#define TILE_ROWS 16
#define TILE_MOST 8
#include "embed/layers.h"

#include <immintrin.h>

/* Multiply panel P with the rows T to T + N. R is 0. */
INLINE void multiply_tile(const struct transformer_matrix *m,
			  const struct kernels_rows *in, size_t p, size_t r,
			  size_t t, const size_t n, float *out, size_t stride)
{
	const __m512i low = _mm512_set1_epi8(15);
	__m512 total[8];

	(void)r;
#pragma GCC unroll 8
	for (size_t i = 0; i < n; i++)
		total[i] = _mm512_setzero_ps();
	for (size_t g = 0; g < m->columns / GROUP; g++) {
		const unsigned char *c = panel_codes(m, p, g);
		const __m512 scales = _mm512_cvtph_ps(_mm256_loadu_si256(
			(const void *)panel_scales(m, p, g)));
		__m512i sum[8];

#pragma GCC unroll 8
		for (size_t i = 0; i < n; i++)
			sum[i] = _mm512_set1_epi32(row_offset(m, in, t + i, g));
#pragma GCC unroll 4
		for (size_t k = 0; k < GROUP / STEP; k++) {
			const __m512i both =
				_mm512_loadu_si512(c + k * PANEL * 4);
			const __m512i one = _mm512_and_si512(both, low);
			const __m512i two = _mm512_and_si512(
				_mm512_srli_epi16(both, 4), low);

#pragma GCC unroll 8
			for (size_t i = 0; i < n; i++) {
				const int8_t *x =
					row_codes(m, in, t + i, g) + k * STEP;

				sum[i] = _mm512_dpbusd_epi32(
					sum[i], one,
					_mm512_set1_epi32(load_four(x)));
				sum[i] = _mm512_dpbusd_epi32(
					sum[i], two,
					_mm512_set1_epi32(load_four(x + 4)));
			}
		}
#pragma GCC unroll 8
		for (size_t i = 0; i < n; i++)
			total[i] = _mm512_add_ps(
				total[i],
				_mm512_mul_ps(_mm512_cvtepi32_ps(sum[i]),
					      scales));
	}
#pragma GCC unroll 8
	for (size_t i = 0; i < n; i++)
		_mm512_storeu_ps(
			out + (t + i) * stride + p * PANEL,
			_mm512_add_ps(_mm512_mul_ps(total[i],
						    _mm512_set1_ps(
							    in->scales[t + i])),
				      _mm512_loadu_ps(
					      (const void *)(m->bias +
							     p * PANEL * 4))));
}

KERNEL(kernels_vnni)
#endif
