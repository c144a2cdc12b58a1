/* sha256.h: SHA-256, to identify contents. */
#ifndef CO_BASE_SHA256_H
#define CO_BASE_SHA256_H

#include "base/base.h"

struct sha256 {
	uint32_t state[8];
	uint64_t len; /* bytes added */
	unsigned char block[64];
};

#define SHA256_HEX 65 /* hexadecimal digits and a NUL */

/* sha256_begin() initializes S; sha256_take() adds LEN bytes at P, and may be
 * called repeatedly. Nothing is allocated. */
void sha256_begin(struct sha256 *s);
void sha256_take(struct sha256 *s, const void *p, size_t len);

/* Write the hash of the added bytes in lower-case hexadecimal. Returns OUT. S
 * is no longer usable; sha256_begin() starts again. */
char *sha256_end(struct sha256 *s, char out[SHA256_HEX]);

/* Write the hash of LEN bytes at P in lower-case hexadecimal. Returns OUT. */
char *sha256_of(const void *p, size_t len, char out[SHA256_HEX]);

#endif
