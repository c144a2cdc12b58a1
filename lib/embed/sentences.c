/* sentences.c: where things lie in the file follows from the constants of the
 * model, so its header names only what may differ, and all offsets are computed
 * here. A text uses the vocabulary, all layers, and the sections that have the
 * rows of its pieces.
 */
#include "embed/sentences.h"

#include "base/compat.h"
#include "base/hash.h"
#include "base/mem.h"
#include "embed/model-file.h"
#include "embed/wordpiece.h"

#include <stdatomic.h>

#define LAYERS 6
#define LINE 64 /* bytes of the header; sections begin at multiples of it */
#define ROWS 64 /* pieces in a section */
#define ROW_BYTES (SIDE / 2 + SIDE / GROUP * 2)
#define PIECES_MOST 65535
#define TEXT_MOST ((size_t)16 * 1024 * 1024) /* bytes of all pieces */

/* Numbers of sections. */
enum { VOCABULARY, PLACES, FIRST_LAYER, FIRST_ROWS = FIRST_LAYER + LAYERS };

static const struct model_file_kind kind = {
	.magic = "co texts",
	.version = 1,
	.header = LINE,
	.most = INT32_MAX,
	.contents = "encoder",
};

/* Numbers of the header. */
enum { PIECES_AT = 1, BYTES_AT, SHAPE_AT };

struct sentences {
	struct model_file file;
	size_t pieces, bytes; /* of the vocabulary; bytes of their texts */
	const struct transformer_kernel *kernel;
	struct wordpiece words;
	struct transformer_norm first;
	struct transformer_layer layers[LAYERS];
	size_t sections;
	size_t *offsets;	/* of each section, and the end of the last */
	atomic_uchar *verified; /* one byte for each section */
};

static size_t round_up(size_t n)
{
	return (n + LINE - 1) / LINE * LINE;
}

/* Return the bytes of P, and advance P by them. */
static const unsigned char *advance(const unsigned char **p, size_t bytes)
{
	const unsigned char *was = *p;

	*p += bytes;
	return was;
}

static void place_matrix(struct transformer_matrix *m, size_t rows,
			 size_t columns, const unsigned char **p)
{
	m->rows = rows;
	m->columns = columns;
	m->codes = advance(p, rows * columns / 2);
	m->scales = advance(p, rows * columns / GROUP * 2);
}

static void place_norm(struct transformer_norm *n, const unsigned char **p)
{
	n->factors = advance(p, SIDE * 4);
	n->summands = advance(p, SIDE * 4);
}

/* Set L to the layer whose section begins at P. Return the section's end. */
static const unsigned char *place_layer(struct transformer_layer *l,
					const unsigned char *p)
{
	struct transformer_matrix *const all[] = {&l->ask, &l->answer, &l->up,
						  &l->down};

	place_matrix(&l->ask, 3 * SIDE, SIDE, &p);
	place_matrix(&l->answer, SIDE, SIDE, &p);
	place_matrix(&l->up, INNER, SIDE, &p);
	place_matrix(&l->down, SIDE, INNER, &p);
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		all[i]->bias = advance(&p, all[i]->rows * 4);
	place_norm(&l->middle, &p);
	place_norm(&l->end, &p);
	return p;
}

/* Set the offsets of all sections, and what lies in them. The file may be too
 * small for them. */
static void place_sections(struct sentences *m)
{
	const unsigned char *const map = m->file.map, *p;
	size_t at = round_up(LINE + m->sections * 8), rows;

	m->offsets[VOCABULARY] = at;
	wordpiece_init(&m->words, map + at, m->pieces, m->bytes);
	at = round_up(at + wordpiece_size(m->pieces, m->bytes));
	m->offsets[PLACES] = at;
	p = map + at + PIECES * SIDE * 2;
	place_norm(&m->first, &p);
	for (size_t i = 0; i < LAYERS; i++) {
		at = round_up((size_t)(p - map));
		m->offsets[FIRST_LAYER + i] = at;
		p = place_layer(&m->layers[i], map + at);
	}
	at = round_up((size_t)(p - map));
	for (size_t i = 0; i < m->pieces; i += rows) {
		m->offsets[FIRST_ROWS + i / ROWS] = at;
		rows = m->pieces - i < ROWS ? m->pieces - i : ROWS;
		at = round_up(at + rows * ROW_BYTES);
	}
	m->offsets[m->sections] = at;
}

/* Return true if the header has the constants of the model. */
static bool has_shape(const struct sentences *m)
{
	static const uint32_t shape[] = {PIECES, SIDE, LAYERS, HEADS, INNER};

	for (size_t i = 0; i < ARRAY_LEN(shape); i++) {
		if (model_file_number(&m->file, SHAPE_AT + i) != shape[i])
			return false;
	}
	return m->pieces <= PIECES_MOST && m->pieces > WORDPIECE_END &&
	       m->bytes <= TEXT_MOST;
}

/* Read the header, and set where all sections lie. Return false if the hash is
 * wrong, or the file has not the size that follows from its header. */
static bool read_header(struct sentences *m)
{
	m->pieces = model_file_number(&m->file, PIECES_AT);
	m->bytes = model_file_number(&m->file, BYTES_AT);
	if (!has_shape(m))
		return false;
	m->sections = FIRST_ROWS + (m->pieces + ROWS - 1) / ROWS;
	if (!model_file_is_sound(&m->file, m->sections * 8))
		return false;
	m->offsets = mem_alloc((m->sections + 1) * sizeof(*m->offsets));
	m->verified = mem_alloc(m->sections * sizeof(*m->verified));
	place_sections(m);
	return m->offsets[m->sections] == m->file.size;
}

int sentences_open(const char *path, struct sentences **out, struct err *e)
{
	struct model_file file;
	const int r = model_file_open(&file, path, &kind, e);
	struct sentences *m;

	if (r <= 0)
		return r;
	m = mem_alloc(sizeof(*m));
	m->file = file;
	m->kernel = transformer_fastest();
	if (!read_header(m)) {
		model_file_set_damaged(&m->file, e);
		sentences_close(m);
		return -1;
	}
	*out = m;
	return 1;
}

void sentences_close(struct sentences *m)
{
	if (!m)
		return;
	model_file_close(&m->file);
	free(m->offsets);
	free(m->verified);
	free(m);
}

uint64_t sentences_identity(const struct sentences *m)
{
	/* This checksum covers those of all sections. */
	return model_file_hash(&m->file);
}

const char *sentences_kernel(const struct sentences *m)
{
	return transformer_kernel_name(m->kernel);
}

void sentences_set_kernel(struct sentences *m,
			  const struct transformer_kernel *kernel)
{
	m->kernel = kernel;
}

/* Return 0 if SECTION matches its checksum, or -1. */
static int verify(struct sentences *m, size_t section, struct err *e)
{
	const size_t from = m->offsets[section];
	uint64_t want;

	if (m->verified[section])
		return 0;
	memcpy(&want, m->file.map + LINE + section * 8, sizeof(want));
	if (hash_words(m->file.map + from, m->offsets[section + 1] - from, 0) !=
	    compat_le64(want))
		return model_file_set_damaged(&m->file, e);
	m->verified[section] = 1;
	return 0;
}

/* Return 0 if all sections that each text needs match their checksums. */
static int verify_model(struct sentences *m, struct err *e)
{
	for (size_t i = 0; i < FIRST_ROWS; i++) {
		if (verify(m, i, e) < 0)
			return -1;
	}
	return 0;
}

/* Set OUT to the vectors of the N PIECES. */
static int look_up(struct sentences *m, const uint16_t *pieces, size_t n,
		   float *out, struct err *e)
{
	const unsigned char *places = m->file.map + m->offsets[PLACES];

	for (size_t i = 0; i < n; i++) {
		const size_t section = FIRST_ROWS + pieces[i] / ROWS;

		if (verify(m, section, e) < 0)
			return -1;
		transformer_piece(m->file.map + m->offsets[section] +
					  pieces[i] % ROWS * ROW_BYTES,
				  places + i * SIDE * 2, out + i * SIDE);
	}
	return 0;
}

int sentences_encode(struct sentences *m, const char *p, size_t len, float *out,
		     struct err *e)
{
	uint16_t pieces[PIECES] = {WORDPIECE_START};
	float *vectors;
	size_t n;
	int r;

	memset(out, 0, SENTENCES_DIMENSION * sizeof(*out));
	if (verify_model(m, e) < 0)
		return -1;
	n = 1 +
	    wordpiece_split(&m->words, p, len, pieces + 1, SENTENCES_PIECES);
	if (n == 1)
		return 0;
	pieces[n++] = WORDPIECE_END;
	vectors = mem_alloc(n * SIDE * sizeof(*vectors));
	r = look_up(m, pieces, n, vectors, e);
	if (r == 0)
		r = transformer_run(m->kernel, &m->first, m->layers, LAYERS,
				    vectors, n, out)
			    ? 1
			    : model_file_set_damaged(&m->file, e);
	free(vectors);
	return r;
}
