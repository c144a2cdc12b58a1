/* vector-file.c: any bytes as a file of rows or of word vectors, with valid
 * checksums, as in a hostile file, or unchanged.
 *
 * Properties: reading ends and stays inside the file (the sanitizers check
 * that); no two accepted rows have one number; a text has a vector of finite
 * numbers, or the file is reported as damaged.
 */
#include "../fuzz.h"

#include "base/hash.h"
#include "embed/vector-file.h"
#include "embed/word-vectors.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROWS_HEADER 48
#define MODEL_HEADER 48
#define STORE UINT64_C(11)
#define ENCODER UINT64_C(22)

static char path[] = "/tmp/co-fuzz-vectors-XXXXXX";

static void remove_folder(void)
{
	rmdir(path);
}

static const char *folder(void)
{
	static bool made;

	if (!made) {
		must(mkdtemp(path), "the directory is created");
		atexit(remove_folder);
	}
	made = true;
	return path;
}

static void put(int dir, const struct buf *b)
{
	int fd = openat(dir, "file", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	must(fd >= 0 && write(fd, buf_str(b), b->len) == (ssize_t)b->len,
	     "the file is written");
	close(fd);
}

static void put64(struct buf *b, size_t at, uint64_t x)
{
	if (at + 8 <= b->len)
		memcpy(b->p + at, &x, 8);
}

static uint32_t get32(const struct buf *b, size_t at)
{
	uint32_t x = 0;

	if (at + 4 <= b->len)
		memcpy(&x, b->p + at, 4);
	return x;
}

/* Correct all checksums of the rows in B. */
static void mend_rows(struct buf *b)
{
	const uint32_t dimension = get32(b, 12);
	const size_t padded = ((size_t)dimension + 15) / 16 * 16;
	size_t at = ROWS_HEADER;

	if (b->len < ROWS_HEADER)
		return;
	memcpy(b->p, "co rows\n", 8);
	put64(b, 16, STORE);
	put64(b, 24, ENCODER);
	put64(b, 40, hash_bytes(b->p, 40, 0));
	while (at + 16 <= b->len) {
		const size_t size = 16 + padded * 4 +
				    (size_t)get32(b, at + 8) * (16 + padded);

		if (size > b->len - at)
			break;
		put64(b, at,
		      hash_bytes(b->p + at + 8, size - 8,
				 STORE ^ ENCODER ^ dimension));
		at += size;
	}
}

static void read_rows(int dir)
{
	struct vector_file r;
	struct vector_file_numbers numbers = {0};
	long sum = 0;

	vector_file_open(&r, dir, "file", STORE, ENCODER);
	for (size_t i = 0; i < r.nparts; i++) {
		for (size_t j = 0; j < r.parts[i].n; j++) {
			const char *row = r.parts[i].rows + j * r.stride;

			must(vector_file_add_number(&numbers,
						    vector_file_number(row)),
			     "a number has one row");
			for (size_t k = 0; k < r.padded; k++)
				sum += vector_file_vector(row)[k];
		}
		for (size_t k = 0; k < r.padded; k++)
			sum += r.parts[i].sum[k];
	}
	must(sum || !sum, "all rows are read");
	vector_file_release_numbers(&numbers);
	vector_file_close(&r);
}

/* Correct all checksums of the word vectors in B. */
static void mend_model(struct buf *b)
{
	const uint32_t buckets = get32(b, 20);
	const size_t index = ((size_t)buckets * 2 + 1) * 4;
	struct buf known = {0};
	uint32_t size = (uint32_t)b->len;

	if (b->len < MODEL_HEADER || index > b->len - MODEL_HEADER)
		return;
	memcpy(b->p, "co words\1\0\0\0", 12);
	memcpy(b->p + 24, &size, 4);
	for (size_t i = 0; i < buckets; i++) {
		const uint32_t from = get32(b, MODEL_HEADER + i * 4);
		const uint32_t to = get32(b, MODEL_HEADER + i * 4 + 4);
		uint32_t hash;

		if (from > to || to > b->len)
			break;
		hash = (uint32_t)hash_bytes(b->p + from, to - from, 0);
		memcpy(b->p + MODEL_HEADER + (buckets + 1 + i) * 4, &hash, 4);
	}
	buf_add(&known, b->p, MODEL_HEADER - 8);
	buf_add(&known, b->p + MODEL_HEADER, index);
	put64(b, MODEL_HEADER - 8, hash_bytes(known.p, known.len, 0));
	buf_release(&known);
}

static void read_model(void)
{
	static const char text[] = "cat dog house train a b c software aa bb";
	struct arena a = {0};
	struct word_vectors *m;
	struct err e;
	int r = word_vectors_open(arena_printf(&a, "%s/file", folder()), &m,
				  &e);

	must(r != 0, "the file is opened");
	if (r > 0) {
		const size_t n = word_vectors_dimension(m);
		float *v = mem_alloc(n * sizeof(*v));

		if (word_vectors_text(m, text, strlen(text), v, &e) >= 0) {
			for (size_t i = 0; i < n; i++)
				must(isfinite(v[i]), "numbers are finite");
		}
		free(v);
		word_vectors_close(m);
	}
	arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf b = {0};
	int dir;

	if (!size)
		return 0;
	dir = open(folder(), O_RDONLY | O_DIRECTORY);
	must(dir >= 0, "the directory is opened");
	buf_add(&b, data + 1, size - 1);
	if (*data & 1 && b.len)
		*data & 2 ? mend_model(&b) : mend_rows(&b);
	put(dir, &b);
	if (*data & 2)
		read_model();
	else
		read_rows(dir);
	unlinkat(dir, "file", 0);
	close(dir);
	buf_release(&b);
	return 0;
}
