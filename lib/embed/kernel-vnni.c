/* kernel-vnni.c: for x86 with AVX-512 VNNI, which multiplies and adds four
 * bytes at once. */
#if defined(__x86_64__) || defined(__i386__)
#define TILE_ROWS 32
#include "embed/layers.h"

#include <immintrin.h>

/* Multiply the two panels from row R with the rows T to T + N. What is loaded of
 * a row serves both. */
INLINE void multiply_tile(const struct transformer_matrix *m,
			  const struct kernels_rows *in, size_t r, size_t t,
			  const size_t n, float *out, size_t stride)
{
	const __m512i low = _mm512_set1_epi8(15);
	__m512 total[4][2];

#pragma GCC unroll 4
	for (size_t i = 0; i < n; i++)
		total[i][0] = total[i][1] = _mm512_setzero_ps();
	for (size_t g = 0; g < m->columns / GROUP; g++) {
		const unsigned char *c = panel_codes(m, r, g);
		const unsigned char *d = panel_codes(m, r + PANEL, g);
		__m512i sum[4][2];

#pragma GCC unroll 4
		for (size_t i = 0; i < n; i++)
			sum[i][0] = sum[i][1] =
				_mm512_set1_epi32(row_offset(m, in, t + i, g));
#pragma GCC unroll 4
		for (size_t k = 0; k < GROUP / STEP; k++) {
			const __m512i a = _mm512_loadu_si512(c + k * PANEL * 4);
			const __m512i b = _mm512_loadu_si512(d + k * PANEL * 4);
			const __m512i a1 = _mm512_and_si512(a, low);
			const __m512i b1 = _mm512_and_si512(b, low);
			const __m512i a2 =
				_mm512_and_si512(_mm512_srli_epi16(a, 4), low);
			const __m512i b2 =
				_mm512_and_si512(_mm512_srli_epi16(b, 4), low);

#pragma GCC unroll 4
			for (size_t i = 0; i < n; i++) {
				const int8_t *x =
					row_codes(m, in, t + i, g) + k * STEP;
				const __m512i x1 =
					_mm512_set1_epi32(load_four(x));
				const __m512i x2 =
					_mm512_set1_epi32(load_four(x + 4));

				sum[i][0] =
					_mm512_dpbusd_epi32(sum[i][0], a1, x1);
				sum[i][1] =
					_mm512_dpbusd_epi32(sum[i][1], b1, x1);
				sum[i][0] =
					_mm512_dpbusd_epi32(sum[i][0], a2, x2);
				sum[i][1] =
					_mm512_dpbusd_epi32(sum[i][1], b2, x2);
			}
		}
#pragma GCC unroll 2
		for (size_t h = 0; h < 2; h++) {
			const __m512 scales = _mm512_cvtph_ps(
				_mm256_loadu_si256((const void *)panel_scales(
					m, r + h * PANEL, g)));
#pragma GCC unroll 4
			for (size_t i = 0; i < n; i++)
				total[i][h] = _mm512_add_ps(
					total[i][h],
					_mm512_mul_ps(
						_mm512_cvtepi32_ps(sum[i][h]),
						scales));
		}
	}
#pragma GCC unroll 4
	for (size_t i = 0; i < n; i++) {
#pragma GCC unroll 2
		for (size_t h = 0; h < 2; h++)
			_mm512_storeu_ps(
				out + (t + i) * stride + r + h * PANEL,
				_mm512_add_ps(
					_mm512_mul_ps(
						total[i][h],
						_mm512_set1_ps(
							in->scales[t + i])),
					_mm512_loadu_ps(
						(const void *)(m->bias +
							       (r + h * PANEL) *
								       4))));
	}
}

KERNEL(kernels_vnni)
#endif
