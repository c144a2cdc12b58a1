/* corpus-number.c: see corpus-number.h. */
#include "remote/corpus-number.h"

#define BITS 64

void corpus_number_add(struct buf *out, uint64_t n)
{
	for (; n > 0x7f; n >>= 7)
		buf_addc(out, (char)(unsigned char)(n | 0x80));
	buf_addc(out, (char)n);
}

void corpus_number_add_signed(struct buf *out, int64_t n)
{
	corpus_number_add(out, (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0));
}

bool corpus_number_read(const unsigned char **p, const unsigned char *end,
			uint64_t *n)
{
	*n = 0;
	for (unsigned shift = 0; *p < end && shift < BITS; shift += 7) {
		const unsigned char c = *(*p)++;

		*n |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return true;
	}
	return false;
}

bool corpus_number_read_signed(const unsigned char **p,
			       const unsigned char *end, int64_t *n)
{
	uint64_t u;

	if (!corpus_number_read(p, end, &u))
		return false;
	*n = (int64_t)(u >> 1 ^ (u & 1 ? UINT64_MAX : 0));
	return true;
}
