/* hash.c: products of 64 by 64 bits, folded (as wyhash does): some ten bytes a
 * nanosecond, and every bit of the input reaches every bit of the result.
 *
 * hash_words() takes eight words at once, so that none waits for the product
 * of another; each of its steps can be undone, so that no single word can
 * change without the result.
 */
#include "base/hash.h"

#include "base/compat.h"

#define KEY0 0xA0761D6478BD642Full
#define KEY1 0xE7037ED1A0B428DBull
#define KEY2 0x8EBC6AF09C88C6E3ull
#define KEY3 0x589965CC75374CC3ull

#ifdef __SIZEOF_INT128__
static uint64_t fold(uint64_t a, uint64_t b)
{
	const unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}
#else
/* The same by four products of halves. */
static uint64_t fold(uint64_t a, uint64_t b)
{
	const uint64_t half = UINT32_MAX;
	const uint64_t low = (a & half) * (b & half);
	const uint64_t one = (a >> 32) * (b & half) + (low >> 32);
	const uint64_t two = (a & half) * (b >> 32) + (one & half);

	return (two << 32 | (low & half)) ^
	       ((a >> 32) * (b >> 32) + (one >> 32) + (two >> 32));
}
#endif

static uint64_t word(const unsigned char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return compat_le64(w);
}

/* The last bytes, fewer than 16, as two words. */
static void tail(const unsigned char *p, size_t len, uint64_t *a, uint64_t *b)
{
	unsigned char last[16] = {0};

	if (len)
		memcpy(last, p, len);
	*a = word(last);
	*b = word(last + 8);
}

uint64_t hash_bytes(const void *bytes, size_t len, uint64_t seed)
{
	const unsigned char *p = bytes;
	size_t left = len;
	uint64_t a, b;

	seed ^= fold(seed ^ KEY0, KEY1);
	if (left >= 48) {
		uint64_t one = seed, two = seed;

		for (; left >= 48; p += 48, left -= 48) {
			seed = fold(word(p) ^ KEY1, word(p + 8) ^ seed);
			one = fold(word(p + 16) ^ KEY2, word(p + 24) ^ one);
			two = fold(word(p + 32) ^ KEY3, word(p + 40) ^ two);
		}
		seed ^= one ^ (two << 1 | two >> 63);
	}
	for (; left >= 16; p += 16, left -= 16)
		seed = fold(word(p) ^ KEY1, word(p + 8) ^ seed);
	tail(p, left, &a, &b);
	seed = fold(a ^ KEY1, b ^ seed);
	return fold(seed ^ KEY0 ^ (uint64_t)len, seed ^ KEY1);
}

#define LANES 8

/* For a given W or HASH, another of the other gives another result. */
static uint64_t step(uint64_t hash, uint64_t w)
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
			lane[i] = step(lane[i], word(p + i * sizeof(*lane)));
	}
	for (size_t i = 0; i < n; i++)
		lane[i] = step(lane[i], word(p + i * sizeof(*lane)));
	for (size_t i = 0; i < LANES; i++)
		hash = step(hash, lane[i]);
	hash = (hash ^ hash >> 32) * KEY2;
	return hash ^ hash >> 29;
}
