/* lanes.h: eight floats at a time, in the machine's byte order or the file's. */
#ifndef CO_EMBED_LANES_H
#define CO_EMBED_LANES_H

#include "base/compat.h"

#define LANES 8

#define INLINE static inline __attribute__((always_inline))

/* Eight floats or numbers of 32 bits, however wide the machine's registers
 * are. */
typedef float lanes __attribute__((vector_size(LANES * 4)));
typedef uint32_t bits __attribute__((vector_size(LANES * 4)));
typedef int32_t signed_bits __attribute__((vector_size(LANES * 4)));

/* As they lie in memory. A copy of bytes would be made in smaller parts. */
typedef float memory_lanes
	__attribute__((vector_size(LANES * 4), aligned(1), may_alias));

INLINE uint32_t load_u32(const unsigned char *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return compat_le32(n);
}

INLINE float load_float(const unsigned char *p)
{
	const uint32_t b = load_u32(p);
	float x;

	memcpy(&x, &b, sizeof(x));
	return x;
}

/* Load eight floats of the file. */
INLINE lanes load_floats(const unsigned char *p)
{
	lanes x = *(const memory_lanes *)p;

	for (size_t i = 0; COMPAT_SWAPS && i < LANES; i++)
		x[i] = load_float(p + i * 4);
	return x;
}

INLINE lanes load_lanes(const float *p)
{
	return *(const memory_lanes *)p;
}

INLINE void store_lanes(float *p, lanes x)
{
	*(memory_lanes *)p = x;
}

INLINE lanes all_lanes(float x)
{
	return (lanes){x, x, x, x, x, x, x, x};
}

/* Return the half float with the bits H. Those of a float, shifted, have an
 * exponent that is too low by 112. */
INLINE float half_float(uint32_t h)
{
	const uint32_t shifted = (h & 0x7FFF) << 13;
	uint32_t b;
	float x;

	memcpy(&x, &shifted, sizeof(x));
	x *= 0x1p112F;
	memcpy(&b, &x, sizeof(b));
	b |= (h & 0x8000) << 16;
	memcpy(&x, &b, sizeof(x));
	return x;
}

INLINE float load_half(const unsigned char *p)
{
	return half_float((uint32_t)(p[0] | p[1] << 8));
}

/* Set OUT to the N half floats at P. */
INLINE void load_halves(const unsigned char *p, size_t n, float *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = load_half(p + 2 * i);
}

INLINE bits lanes_bits(lanes x)
{
	return (bits)x;
}

INLINE lanes bits_lanes(bits b)
{
	return (lanes)b;
}

/* Return A where MASK is set, and B elsewhere. */
INLINE lanes choose(signed_bits mask, lanes a, lanes b)
{
	const bits m = (bits)mask;

	return bits_lanes((lanes_bits(a) & m) | (lanes_bits(b) & ~m));
}

/* Return the greater numbers; where one is NaN, that of B. */
INLINE lanes greater(lanes a, lanes b)
{
	return choose((signed_bits)(a > b), a, b);
}

INLINE lanes without_sign(lanes x)
{
	return bits_lanes(lanes_bits(x) & 0x7FFFFFFF);
}

INLINE float greatest(lanes x)
{
	float most = x[0];

	for (size_t i = 1; i < LANES; i++)
		most = x[i] > most ? x[i] : most;
	return most;
}

/* Return the sum of all lanes. */
INLINE float sum_lanes(lanes x)
{
	return ((x[0] + x[4]) + (x[2] + x[6])) +
	       ((x[1] + x[5]) + (x[3] + x[7]));
}

#endif
