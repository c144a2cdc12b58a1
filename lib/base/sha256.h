/* sha256.h: SHA-256, by which a content is known wherever it lies. */
#ifndef CO_BASE_SHA256_H
#define CO_BASE_SHA256_H

#include "base/base.h"

struct sha256 {
	uint32_t state[8];
	uint64_t len; /* bytes taken */
	unsigned char block[64];
};

#define SHA256_HEX 65 /* room for the digits and a NUL */

void sha256_begin(struct sha256 *s);
void sha256_take(struct sha256 *s, const void *p, size_t len);

/* Write the digits, lower case, of all that was taken; returns OUT. */
char *sha256_end(struct sha256 *s, char out[SHA256_HEX]);

/* The digits of LEN bytes of P; returns OUT. */
char *sha256_of(const void *p, size_t len, char out[SHA256_HEX]);

#endif
