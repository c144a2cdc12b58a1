/* wordpiece.c: any bytes as a vocabulary, and any text; or any text with the
 * vocabulary of the installed file.
 *
 * Properties: reading ends and stays inside the vocabulary (the sanitizers
 * check that); the number of pieces is limited, and each piece exists.
 */
#include "../fuzz.h"

#include "embed/wordpiece.h"

#define TABLE ((size_t)65536 * 2)
#define PIECES 64 /* of a vocabulary made here */
#define MOST 32

/* Fill the LEN bytes of P with the FROM_LEN bytes of FROM, repeated. */
static void fill(unsigned char *p, size_t len, const uint8_t *from,
		 size_t from_len)
{
	for (size_t i = 0; i < len; i++)
		p[i] = from_len ? from[i % from_len] : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t bytes = size ? data[0] : 0;
	const size_t all = wordpiece_size(PIECES, bytes);
	const size_t half = size / 2;
	unsigned char *p = mem_alloc(all);
	uint16_t pieces[MOST];
	struct wordpiece w;
	size_t n;

	must(all == TABLE + (PIECES + 1) * 4 + bytes, "the size is known");
	/* Keep the numbers of pieces small, so that many exist. */
	fill(p, TABLE, data, half);
	for (size_t i = 0; i < TABLE; i += 2)
		p[i + 1] = p[i] & 0x80 ? 0xFF : 0;
	fill(p + TABLE, all - TABLE, data, half);
	for (size_t i = 0; i <= PIECES; i++) {
		const size_t at = TABLE + i * 4;

		p[at + 1] = p[at + 2] = 0;
		p[at + 3] &= 0x80;
	}
	wordpiece_init(&w, p, PIECES, bytes);
	n = wordpiece_split(&w, (const char *)data + half, size - half, pieces,
			    MOST);
	must(n <= MOST, "the number of pieces is limited");
	for (size_t i = 0; i < n; i++)
		must(pieces[i] < PIECES || pieces[i] == WORDPIECE_UNKNOWN,
		     "each piece exists");
	free(p);
	return 0;
}
