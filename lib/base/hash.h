/* hash.h: a fast hash of 64 bits, to see whether bytes have changed.
 *
 * Not for secrets, nor for keys that others choose (see table.h): one can make
 * texts that have one hash under every seed.  The value depends on the byte order
 * of the machine.
 */
#ifndef CO_BASE_HASH_H
#define CO_BASE_HASH_H

#include "base/base.h"

/* The hash of LEN bytes of P under SEED.  Cannot fail. */
uint64_t hash_bytes(const void *p, size_t len, uint64_t seed);

/* The same for LEN bytes that are a multiple of 8, many of them: faster, and
 * never the same for two texts that differ within one aligned word of 8. */
uint64_t hash_words(const void *p, size_t len, uint64_t seed);

#endif
