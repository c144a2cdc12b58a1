/* hash.h: a fast 64-bit hash, to detect changed bytes.
 *
 * Not for secrets, and not for keys that an attacker can choose (use table.h):
 * collisions that hold under every seed can be constructed. The results differ
 * between machines of different byte order.
 */
#ifndef CO_BASE_HASH_H
#define CO_BASE_HASH_H

#include "base/base.h"

/* Return the hash of LEN bytes at P under SEED. */
uint64_t hash_bytes(const void *p, size_t len, uint64_t seed);

/* Return a hash of LEN bytes at P; LEN is a large multiple of 8. This hash
 * differs from hash_bytes(): it is faster, and two texts that differ only
 * within one aligned 8-byte word never collide. */
uint64_t hash_words(const void *p, size_t len, uint64_t seed);

#endif
