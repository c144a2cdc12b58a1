/* hash.c: hash_bytes() multiplies 64 by 64 bits and folds the product, as
 * wyhash does: about ten bytes a nanosecond, and every bit of the input affects
 * every bit of the result.
 *
 * hash_words() mixes words into eight independent lanes, so that no
 * multiplication waits for another. Each step is invertible; changing a single
 * word therefore always changes the result.
 */
#include "base/hash.h"

#include "base/compat.h"

#define KEY0 0xA0761D6478BD642Full
#define KEY1 0xE7037ED1A0B428DBull
#define KEY2 0x8EBC6AF09C88C6E3ull
#define KEY3 0x589965CC75374CC3ull

#ifdef __SIZEOF_INT128__
static uint64_t multiply_fold(uint64_t a, uint64_t b)
{
	const unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}
#else
/* Portable version: four products of 32-bit halves. */
static uint64_t multiply_fold(uint64_t a, uint64_t b)
{
	const uint64_t half = UINT32_MAX;
	const uint64_t low = (a & half) * (b & half);
	const uint64_t one = (a >> 32) * (b & half) + (low >> 32);
	const uint64_t two = (a & half) * (b >> 32) + (one & half);

	return (two << 32 | (low & half)) ^
	       ((a >> 32) * (b >> 32) + (one >> 32) + (two >> 32));
}
#endif

static uint64_t load_word(const unsigned char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return compat_le64(w);
}

/* Load the last LEN < 16 bytes, padded with zeros, as two words. */
static void load_tail(const unsigned char *p, size_t len, uint64_t *a,
		      uint64_t *b)
{
	unsigned char last[16] = {0};

	if (len)
		memcpy(last, p, len);
	*a = load_word(last);
	*b = load_word(last + 8);
}

uint64_t hash_bytes(const void *bytes, size_t len, uint64_t seed)
{
	const unsigned char *p = bytes;
	size_t left = len;
	uint64_t a, b;

	seed ^= multiply_fold(seed ^ KEY0, KEY1);
	if (left >= 48) {
		uint64_t one = seed, two = seed;

		for (; left >= 48; p += 48, left -= 48) {
			seed = multiply_fold(load_word(p) ^ KEY1,
					     load_word(p + 8) ^ seed);
			one = multiply_fold(load_word(p + 16) ^ KEY2,
					    load_word(p + 24) ^ one);
			two = multiply_fold(load_word(p + 32) ^ KEY3,
					    load_word(p + 40) ^ two);
		}
		seed ^= one ^ (two << 1 | two >> 63);
	}
	for (; left >= 16; p += 16, left -= 16)
		seed = multiply_fold(load_word(p) ^ KEY1,
				     load_word(p + 8) ^ seed);
	load_tail(p, left, &a, &b);
	seed = multiply_fold(a ^ KEY1, b ^ seed);
	return multiply_fold(seed ^ KEY0 ^ (uint64_t)len, seed ^ KEY1);
}

#define LANES 8

/* Mix W into HASH. For a fixed HASH or a fixed W, different values of the other
 * give different results. */
static uint64_t mix_word(uint64_t hash, uint64_t w)
{
	hash = (hash ^ w) * KEY1;
	return hash << 29 | hash >> 35;
}

uint64_t hash_words(const void *bytes, size_t len, uint64_t seed)
{
	const unsigned char *p = bytes;
	size_t n = len / sizeof(uint64_t);
	uint64_t lane[LANES], hash = seed ^ (uint64_t)len;

	for (size_t i = 0; i < LANES; i++)
		lane[i] = seed + (i + 1) * KEY0;
	for (; n >= LANES; n -= LANES, p += sizeof(lane)) {
		for (size_t i = 0; i < LANES; i++)
			lane[i] = mix_word(lane[i],
					   load_word(p + i * sizeof(*lane)));
	}
	for (size_t i = 0; i < n; i++)
		lane[i] = mix_word(lane[i], load_word(p + i * sizeof(*lane)));
	for (size_t i = 0; i < LANES; i++)
		hash = mix_word(hash, lane[i]);
	hash = (hash ^ hash >> 32) * KEY2;
	return hash ^ hash >> 29;
}
