/* word-vectors.c: a text is the sum of the vectors of its words. Each is
 * weighted by a / (a + p), where p is the frequency of the word in English
 * (Arora et al., 2017: common words say little), estimated from its rank by
 * Zipf's law.
 *
 * The file has a header, the offsets of the buckets, a checksum of each, and
 * the buckets; see model-file.h and contrib/models/README.md. A word's bucket
 * is its hash modulo the number of buckets. Numbers are little-endian on every
 * machine.
 */
#include "embed/word-vectors.h"

#include "base/compat.h"
#include "base/hash.h"
#include "base/mem.h"
#include "embed/model-file.h"
#include "rank/terms.h"

#include <math.h>
#include <stdatomic.h>

#define HEADER 48 /* bytes */
#define BUCKETS_MOST 65536
#define SEEN 4096	/* size of the cache of found words */
#define RARITY 3e-3F	/* a: small, since stop words are left out already */
#define ZIPF_SHIFT 2.7F /* Mandelbrot's shift, for the first few words */

static const struct model_file_kind kind = {
	.magic = "co words",
	.version = 1,
	.header = HEADER,
	.most = (size_t)64 * 1024 * 1024,
	.contents = "word vectors",
};

/* Numbers of the header. */
enum { WORDS_AT = 1, DIMENSION_AT, BUCKETS_AT, SIZE_AT };

struct word_vectors {
	struct model_file file;
	uint32_t words;
	size_t dimension; /* even: two levels in a byte, -7 to 7 plus 8 */
	size_t buckets;
	const uint32_t *offsets; /* of each bucket, and the end of the last */
	const uint32_t *hashes;
	atomic_uchar *verified;		      /* one byte for each bucket */
	_Atomic(const unsigned char *) *seen; /* found words, by their hash */
	_Atomic float *scales; /* by scale_index(); 0: not known yet */
	unsigned scale_bits;
	float zipf; /* frequency of a word of rank 0, without the shift */
};

/* Return the offset of bucket B, which is the end of the one before it. */
static size_t bucket_offset(const struct word_vectors *m, size_t b)
{
	return compat_le32(m->offsets[b]);
}

/* Read the header. Return false if the hash is wrong, or a number or an offset is
 * invalid. */
static bool read_header(struct word_vectors *m)
{
	const struct model_file *f = &m->file;
	size_t index;

	m->words = model_file_number(f, WORDS_AT);
	m->dimension = model_file_number(f, DIMENSION_AT);
	m->buckets = model_file_number(f, BUCKETS_AT);
	index = (m->buckets * 2 + 1) * 4;
	if (model_file_number(f, SIZE_AT) != f->size || m->buckets < 1 ||
	    m->buckets > BUCKETS_MOST || m->dimension < 2 || m->dimension % 2 ||
	    m->dimension > WORD_VECTORS_DIMENSION_MAX || m->words < 1 ||
	    !model_file_is_sound(f, index))
		return false;
	m->offsets = (const uint32_t *)(const void *)(f->map + HEADER);
	m->hashes = m->offsets + m->buckets + 1;
	if (bucket_offset(m, 0) != HEADER + index ||
	    bucket_offset(m, m->buckets) != f->size)
		return false;
	for (size_t i = 0; i < m->buckets; i++) {
		if (bucket_offset(m, i) > bucket_offset(m, i + 1))
			return false;
	}
	return true;
}

/* Return the frequency of a word of rank 0 without the shift: 1 by the sum of 1
 * / (rank + 1 + shift), approximated by an integral. */
static float first_frequency(uint32_t words)
{
	return 1 / logf(((float)words + ZIPF_SHIFT + .5F) / (ZIPF_SHIFT + .5F));
}

/* Return the index in `scales` of the word with LEVELS. More than 1 <<
 * scale_bits bytes lie between the levels of two words. */
static size_t scale_index(const struct word_vectors *m,
			  const unsigned char *levels)
{
	return (size_t)(levels - m->file.map) >> m->scale_bits;
}

int word_vectors_open(const char *path, struct word_vectors **out,
		      struct err *e)
{
	struct model_file file;
	const int r = model_file_open(&file, path, &kind, e);
	struct word_vectors *m;

	if (r <= 0)
		return r;
	m = mem_alloc(sizeof(*m));
	m->file = file;
	if (!read_header(m)) {
		model_file_set_damaged(&m->file, e);
		word_vectors_close(m);
		return -1;
	}
	m->verified = mem_alloc(m->buckets * sizeof(*m->verified));
	m->seen = mem_alloc(SEEN * sizeof(*m->seen));
	while (m->dimension / 2 + 3 >= 2u << m->scale_bits)
		m->scale_bits++;
	m->scales = mem_alloc((scale_index(m, m->file.map + m->file.size) + 1) *
			      sizeof(*m->scales));
	m->zipf = first_frequency(m->words);
	*out = m;
	return 1;
}

void word_vectors_close(struct word_vectors *m)
{
	if (!m)
		return;
	model_file_close(&m->file);
	free(m->verified);
	free(m->seen);
	free(m->scales);
	free(m);
}

size_t word_vectors_dimension(const struct word_vectors *m)
{
	return m->dimension;
}

uint64_t word_vectors_identity(const struct word_vectors *m)
{
	/* This checksum covers those of all buckets. */
	return model_file_hash(&m->file);
}

/* Find WORD in its bucket, and set *PLACE to its entry, which begins with its
 * length. Return 1, 0 or -1. */
static int find_in_bucket(struct word_vectors *m, const char *word, size_t len,
			  const unsigned char **place, struct err *e)
{
	const size_t row = m->dimension / 2;
	size_t b = (size_t)(hash_bytes(word, len, 0) % m->buckets);
	const unsigned char *p = m->file.map + bucket_offset(m, b);
	const unsigned char *end = m->file.map + bucket_offset(m, b + 1);

	if (!m->verified[b]) {
		uint64_t hash = hash_bytes(p, (size_t)(end - p), 0);

		if ((uint32_t)hash != compat_le32(m->hashes[b]))
			return model_file_set_damaged(&m->file, e);
		m->verified[b] = 1;
	}
	while ((size_t)(end - p) > 3 + row &&
	       (size_t)(end - p) >= *p + 3 + row) {
		if (*p == len && !memcmp(p + 1, word, len)) {
			*place = p;
			return 1;
		}
		p += *p + 3 + row;
	}
	return 0;
}

/* Set *LEVELS to the levels of WORD, two in a byte, and *RANK. Return 1, 0 or
 * -1. Found words are cached, since most words of a text were in an earlier
 * one. */
static int find_word(struct word_vectors *m, const char *word, size_t len,
		     const unsigned char **levels, uint32_t *rank,
		     struct err *e)
{
	_Atomic(const unsigned char *) *seen;
	const unsigned char *p;
	uint32_t hash = 0;
	int r;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)word[i]) * 16777619u;
	seen = &m->seen[(hash ^ hash >> 15) & (SEEN - 1)];
	p = atomic_load_explicit(seen, memory_order_relaxed);
	if (!p || *p != len || memcmp(p + 1, word, len)) {
		r = find_in_bucket(m, word, len, &p, e);
		if (r <= 0)
			return r;
		atomic_store_explicit(seen, p, memory_order_relaxed);
	}
	p += 1 + len;
	*rank = (uint32_t)(p[0] | p[1] << 8);
	*levels = p + 2;
	return 1;
}

int word_vectors_knows(struct word_vectors *m, const char *word, size_t len,
		       uint32_t *place, struct err *e)
{
	const unsigned char *levels;
	uint32_t ignored;

	return find_word(m, word, len, &levels, place ? place : &ignored, e);
}

/* Return the factor for the levels of WORD by its weight in a text, or a
 * negative number if it does not count. */
static float word_scale(const struct word_vectors *m, const struct term *word,
			const unsigned char *levels, uint32_t rank)
{
	int32_t norm = 0;

	for (size_t i = 0; i < m->dimension / 2; i++) {
		int32_t a = (levels[i] & 15) - 8, b = (levels[i] >> 4) - 8;

		norm += a * a + b * b;
	}
	if (!norm || words_is_stop(word->word, word->word_len))
		return -1;
	return RARITY / (RARITY + m->zipf / ((float)rank + 1 + ZIPF_SHIFT)) /
	       sqrtf((float)norm);
}

/* Add the N bytes LEVELS times SCALE to LOW and HIGH. These are interleaved
 * only at the end of a text: adding alternately takes a quarter longer. */
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("O3"))) /* clang does this at -O2 */
#endif
static void
add_levels(const unsigned char *restrict levels, size_t n, float scale,
	   float *restrict low, float *restrict high)
{
	for (size_t i = 0; i < n; i++) {
		low[i] += scale * (float)((levels[i] & 15) - 8);
		high[i] += scale * (float)((levels[i] >> 4) - 8);
	}
}

/* The state of summing up a text. */
struct text_sum {
	struct word_vectors *m;
	float *low, *high; /* by byte of levels */
	bool any;
	struct err *e;
};

static int add_term(void *ctx, const struct term *t)
{
	struct text_sum *s = ctx;
	const unsigned char *levels;
	_Atomic float *known;
	uint32_t rank;
	float scale;
	int r;

	if (t->colocated)
		return 0;
	r = find_word(s->m, t->word, t->word_len, &levels, &rank, s->e);
	if (r <= 0)
		return r;
	known = &s->m->scales[scale_index(s->m, levels)];
	scale = atomic_load_explicit(known, memory_order_relaxed);
	if (scale == 0) {
		scale = word_scale(s->m, t, levels, rank);
		atomic_store_explicit(known, scale, memory_order_relaxed);
	}
	if (scale < 0)
		return 0;
	add_levels(levels, s->m->dimension / 2, scale, s->low, s->high);
	s->any = true;
	return 0;
}

int word_vectors_text(struct word_vectors *m, const char *p, size_t len,
		      float *out, struct err *e)
{
	const size_t half = m->dimension / 2;
	float *sums = mem_alloc(2 * half * sizeof(*sums));
	struct text_sum s = {m, sums, sums + half, false, e};
	static const bool unstemmed[256];
	struct terms t = {.first = unstemmed};
	const int r = terms_each(&t, p, len, add_term, &s);

	for (size_t i = 0; i < half; i++) {
		out[2 * i] = s.low[i];
		out[2 * i + 1] = s.high[i];
	}
	terms_release(&t);
	free(sums);
	return r < 0 ? -1 : s.any;
}
