/* sentences.c: where things lie in the file follows from the constants of the
 * model, so its header names only what may differ, and all offsets are computed
 * here. A text uses the vocabulary, all layers, and the sections that have the
 * rows of its pieces.
 */
#include "embed/sentences.h"

#include "base/compat.h"
#include "base/hash.h"
#include "base/mem.h"
#include "embed/wordpiece.h"
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "co texts"
#define VERSION 1
#define LAYERS 6
#define LINE 64 /* sections begin at multiples of this */
#define ROWS 64 /* pieces in a section */
#define ROW_BYTES (SIDE / 2 + SIDE / GROUP * 2)
#define PIECES_MOST 65535
#define TEXT_MOST ((size_t)16 * 1024 * 1024) /* bytes of all pieces */

/* Numbers of sections. */
enum { VOCABULARY, PLACES, FIRST_LAYER, FIRST_ROWS = FIRST_LAYER + LAYERS };

struct header {
	char magic[8];
	uint32_t version;
	uint32_t pieces;
	uint32_t bytes; /* of their texts */
	uint32_t places, side, layers, heads, inner;
	char spare[16];
	uint64_t hash; /* of all above, and of the checksums after it */
};

_Static_assert(sizeof(struct header) == LINE, "the header is one line");

struct sentences {
	const unsigned char *map;
	size_t size;
	const char *path;
	struct header header;
	const struct transformer_kernel *kernel;
	struct wordpiece words;
	struct transformer_norm first;
	struct transformer_layer layers[LAYERS];
	size_t sections;
	size_t *offsets;	/* of each section, and the end of the last */
	atomic_uchar *verified; /* one byte for each section */
};

static int set_damaged(const struct sentences *m, struct err *e)
{
	return err_set(e, ERR_DATA, "'%s' is damaged", m->path);
}

static size_t round_up(size_t n)
{
	return (n + LINE - 1) / LINE * LINE;
}

/* Read the header, converting the byte order. */
static void read_header(struct header *h, const unsigned char *map)
{
	uint32_t *const numbers[] = {&h->version, &h->pieces, &h->bytes,
				     &h->places,  &h->side,   &h->layers,
				     &h->heads,	  &h->inner};

	memcpy(h, map, sizeof(*h));
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		*numbers[i] = compat_le32(*numbers[i]);
	h->hash = compat_le64(h->hash);
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
	const size_t pieces = m->header.pieces;
	const unsigned char *p;
	size_t at = round_up(LINE + m->sections * 8), rows;

	m->offsets[VOCABULARY] = at;
	wordpiece_init(&m->words, m->map + at, pieces, m->header.bytes);
	at = round_up(at + wordpiece_size(pieces, m->header.bytes));
	m->offsets[PLACES] = at;
	p = m->map + at + PIECES * SIDE * 2;
	place_norm(&m->first, &p);
	for (size_t i = 0; i < LAYERS; i++) {
		at = round_up((size_t)(p - m->map));
		m->offsets[FIRST_LAYER + i] = at;
		p = place_layer(&m->layers[i], m->map + at);
	}
	at = round_up((size_t)(p - m->map));
	for (size_t i = 0; i < pieces; i += rows) {
		m->offsets[FIRST_ROWS + i / ROWS] = at;
		rows = pieces - i < ROWS ? pieces - i : ROWS;
		at = round_up(at + rows * ROW_BYTES);
	}
	m->offsets[m->sections] = at;
}

/* Return true if the header and the checksums match their hash, and the file
 * has the size that follows from them. */
static bool is_sound(struct sentences *m)
{
	const struct header *h = &m->header;
	const size_t hashes = m->sections * 8;
	uint64_t hash;
	char *known;

	if (h->places != PIECES || h->side != SIDE || h->layers != LAYERS ||
	    h->heads != HEADS || h->inner != INNER || h->pieces > PIECES_MOST ||
	    h->pieces <= WORDPIECE_END || h->bytes > TEXT_MOST ||
	    LINE + hashes > m->size)
		return false;
	known = mem_alloc(LINE - 8 + hashes);
	memcpy(known, m->map, LINE - 8);
	memcpy(known + LINE - 8, m->map + LINE, hashes);
	hash = hash_bytes(known, LINE - 8 + hashes, 0);
	free(known);
	if (hash != h->hash)
		return false;
	m->offsets = mem_alloc((m->sections + 1) * sizeof(*m->offsets));
	m->verified = mem_alloc(m->sections * sizeof(*m->verified));
	place_sections(m);
	return m->offsets[m->sections] == m->size;
}

/* Map FD. Return 0 or -1. */
static int map_file(struct sentences *m, int fd, struct err *e)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) < 0)
		return err_sys(e, "cannot look at '%s'", m->path);
	if (!S_ISREG(st.st_mode) || st.st_size > INT32_MAX ||
	    st.st_size < (off_t)sizeof(m->header))
		return set_damaged(m, e);
	m->size = (size_t)st.st_size;
	p = mmap(NULL, m->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return err_sys(e, "cannot map '%s'", m->path);
	m->map = p;
	read_header(&m->header, m->map);
	if (memcmp(m->header.magic, MAGIC, 8))
		return err_set(e, ERR_DATA, "'%s' holds no encoder", m->path);
	if (m->header.version != VERSION)
		return err_set(e, ERR_DATA, "'%s' is of version %u, not %d",
			       m->path, m->header.version, VERSION);
	m->sections = FIRST_ROWS + ((size_t)m->header.pieces + ROWS - 1) / ROWS;
	return is_sound(m) ? 0 : set_damaged(m, e);
}

int sentences_open(const char *path, struct sentences **out, struct err *e)
{
	int fd = file_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	struct sentences *m;
	int r;

	if (fd < 0)
		return errno == ENOENT ? 0
				       : err_sys(e, "cannot open '%s'", path);
	m = mem_alloc(sizeof(*m));
	m->path = mem_strdup(path);
	m->kernel = transformer_fastest();
	r = map_file(m, fd, e);
	close(fd);
	if (r < 0) {
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
	if (m->map)
		munmap((void *)(uintptr_t)m->map, m->size);
	free(m->offsets);
	free(m->verified);
	free((char *)(uintptr_t)m->path);
	free(m);
}

uint64_t sentences_identity(const struct sentences *m)
{
	/* This checksum covers those of all sections. */
	return m->header.hash;
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
	memcpy(&want, m->map + LINE + section * 8, sizeof(want));
	if (hash_words(m->map + from, m->offsets[section + 1] - from, 0) !=
	    compat_le64(want))
		return set_damaged(m, e);
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
	const unsigned char *places = m->map + m->offsets[PLACES];

	for (size_t i = 0; i < n; i++) {
		const size_t section = FIRST_ROWS + pieces[i] / ROWS;

		if (verify(m, section, e) < 0)
			return -1;
		transformer_piece(m->map + m->offsets[section] +
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
			    : set_damaged(m, e);
	free(vectors);
	return r;
}
