/* hash.h: a fast 64-bit hash, to detect changed bytes.
 *
 * Not for secrets, and not for keys that an attacker can choose (use table.h):
 * collisions that hold under every seed can be constructed. Equal bytes give
 * equal results on every machine.
 */
#ifndef CO_BASE_HASH_H
#define CO_BASE_HASH_H

#include "base/base.h"

/* Return the hash of LEN bytes at P under SEED. */
uint64_t hash_bytes(const void *p, size_t len, uint64_t seed);

/* Return a hash of LEN bytes at P under SEED, other than that of hash_bytes().
 * LEN must be a multiple of 8: the bytes after the last whole word do not
 * count. This hash is faster for large texts, and two texts of one length that
 * differ only within one word of 8 bytes, counted from P, never collide. */
uint64_t hash_words(const void *p, size_t len, uint64_t seed);

#endif
