/* vector-file.c: a header, then parts. All checksums are verified when the file
 * is opened, since each query reads all of it anyway. An append is one write();
 * any other change writes a new file and renames it. Nothing is synced:
 * checksums detect what a power failure leaves.
 *
 * Known limit: numbers have the byte order of the machine; a file of another
 * order counts as damaged.
 */
#include "embed/vector-file.h"

#include "base/hash.h"
#include "base/mem.h"
#include "sys/file.h"
#include "sys/io.h"

#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "co rows\n"
#define VERSION 1
#define TEMP "vectors-new"
#define DIMENSION_MAX 8192
#define SIZE_MOST ((off_t)4 << 30)
#define FILE_FLAGS (O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
/* The numbers of a vector are spread around 0 with a deviation of 1 /
 * sqrt(dimension). Six deviations fit a byte; larger numbers are clamped. */
#define DEVIATIONS 6
#define PAGE_BITS 20 /* a page has a bit for a million numbers */
#define PAGE_NUMBERS (UINT32_C(1) << PAGE_BITS)
#define PAGES ((size_t)1 << (32 - PAGE_BITS))

struct header {
	char magic[8];
	uint32_t version;
	uint32_t dimension;
	uint64_t store, encoder;
	uint64_t spare;
	uint64_t hash; /* of all fields above */
};

struct part {
	uint64_t hash; /* of all below, with the sum and the rows */
	uint32_t n;
	uint32_t spare;
};

struct row {
	uint32_t number;
	uint32_t norm;
	uint64_t text;
};

_Static_assert(sizeof(struct row) == VECTOR_FILE_HEAD, "the header says so");
_Static_assert(sizeof(struct header) % 16 == 0 && sizeof(struct part) == 16,
	       "parts are aligned");

static struct row row_head(const char *row)
{
	struct row head;

	memcpy(&head, row, sizeof(head));
	return head;
}

uint32_t vector_file_number(const char *row)
{
	return row_head(row).number;
}

uint64_t vector_file_text(const char *row)
{
	return row_head(row).text;
}

uint32_t vector_file_norm(const char *row)
{
	return row_head(row).norm;
}

const int8_t *vector_file_vector(const char *row)
{
	return (const int8_t *)row + VECTOR_FILE_HEAD;
}

float vector_file_scale(size_t dimension)
{
	const float widest = DEVIATIONS / sqrtf((float)dimension);

	return 127 / (widest < 1 ? widest : 1);
}

bool vector_file_has_number(const struct vector_file_numbers *numbers,
			    uint32_t number)
{
	const uint8_t *page =
		numbers->pages ? numbers->pages[number >> PAGE_BITS] : NULL;
	const uint32_t bit = number & (PAGE_NUMBERS - 1);

	return page && page[bit / 8] & 1U << bit % 8;
}

bool vector_file_add_number(struct vector_file_numbers *numbers,
			    uint32_t number)
{
	const uint32_t bit = number & (PAGE_NUMBERS - 1);
	uint8_t **page;

	if (vector_file_has_number(numbers, number))
		return false;
	if (!numbers->pages)
		numbers->pages = mem_alloc(PAGES * sizeof(*numbers->pages));
	page = &numbers->pages[number >> PAGE_BITS];
	if (!*page)
		*page = mem_alloc(PAGE_NUMBERS / 8);
	(*page)[bit / 8] |= (uint8_t)(1U << bit % 8);
	return true;
}

/* Remove NUMBER from NUMBERS, which has it. */
static void remove_number(struct vector_file_numbers *numbers, uint32_t number)
{
	const uint32_t bit = number & (PAGE_NUMBERS - 1);

	numbers->pages[number >> PAGE_BITS][bit / 8] &=
		(uint8_t) ~(1U << bit % 8);
}

void vector_file_release_numbers(struct vector_file_numbers *numbers)
{
	for (size_t i = 0; numbers->pages && i < PAGES; i++)
		free(numbers->pages[i]);
	free(numbers->pages);
	numbers->pages = NULL;
}

void vector_file_release(struct vector_file_new *new)
{
	buf_release(&new->rows);
	buf_release(&new->sum);
	vector_file_release_numbers(&new->numbers);
	new->n = 0;
}

void vector_file_set_dimension(struct vector_file *r, size_t dimension)
{
	r->dimension = dimension;
	r->padded = (dimension + VECTOR_FILE_STEP - 1) / VECTOR_FILE_STEP *
		    VECTOR_FILE_STEP;
	r->stride = VECTOR_FILE_HEAD + r->padded;
}

/* Return the hash of a part of the file R. */
static uint64_t hash_part(const struct vector_file *r, const void *p,
			  size_t len)
{
	return hash_bytes(p, len, r->store ^ r->encoder ^ r->dimension);
}

/* Add the numbers of N rows of STRIDE bytes to NUMBERS. Return false, with NUMBERS
 * unchanged, if it has one already. */
static bool add_row_numbers(struct vector_file_numbers *numbers,
			    const char *rows, size_t n, size_t stride)
{
	size_t i = 0;

	while (i < n && vector_file_add_number(
				numbers, vector_file_number(rows + i * stride)))
		i++;
	if (i == n)
		return true;
	while (i-- > 0)
		remove_number(numbers, vector_file_number(rows + i * stride));
	return false;
}

/* Read the part at P, in LEN bytes. Return its length, or 0 if it is
 * invalid. */
static size_t read_part(struct vector_file *r, const char *p, size_t len,
			size_t *cap)
{
	const size_t front = sizeof(struct part) + r->padded * 4;
	struct part head;
	const char *rows;
	size_t size;

	if (len < front)
		return 0;
	memcpy(&head, p, sizeof(head));
	if (!head.n || head.n > (len - front) / r->stride)
		return 0;
	size = front + head.n * r->stride;
	if (hash_part(r, p + 8, size - 8) != head.hash)
		return 0;
	rows = p + front;
	if (!add_row_numbers(&r->numbers, rows, head.n, r->stride))
		return 0;
	r->parts = mem_grow(r->parts, r->nparts, cap, sizeof(*r->parts));
	/* The mapping is aligned, and so is each part. */
	r->parts[r->nparts++] = (struct vector_file_part){
		rows, head.n,
		(const int32_t *)(const void *)(p + sizeof(head))};
	r->n += head.n;
	return size;
}

static void read_file(struct vector_file *r)
{
	const char *p = r->map;
	struct header h;
	size_t at = sizeof(h), cap = 0, size;
	uint64_t store = r->store;

	r->damaged = true;
	if (r->size < sizeof(h))
		return;
	memcpy(&h, p, sizeof(h));
	if (memcmp(h.magic, MAGIC, 8) || h.version != VERSION ||
	    h.hash != hash_bytes(p, sizeof(h) - 8, 0) || !h.dimension ||
	    h.dimension > DIMENSION_MAX || h.encoder != r->encoder)
		return;
	r->foreign = h.store != store;
	vector_file_set_dimension(r, h.dimension);
	r->store = h.store;
	while (at < r->size &&
	       (size = read_part(r, p + at, r->size - at, &cap)))
		at += size;
	r->store = store;
	r->damaged = at < r->size;
}

void vector_file_open(struct vector_file *r, int dir, const char *name,
		      uint64_t store, uint64_t encoder)
{
	struct stat st;
	int fd = dir < 0 ? -1 : file_open(dir, name, O_RDONLY | FILE_FLAGS, 0);

	*r = (struct vector_file){.store = store, .encoder = encoder};
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    st.st_size < SIZE_MOST) {
		r->size = (size_t)st.st_size;
		r->inode = st.st_ino;
		r->map = mmap(NULL, r->size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (r->map == MAP_FAILED)
			r->map = NULL;
	}
	close(fd);
	if (r->map)
		read_file(r);
}

void vector_file_close(struct vector_file *r)
{
	if (r->map)
		munmap(r->map, r->size);
	free(r->parts);
	vector_file_release_numbers(&r->numbers);
	*r = (struct vector_file){0};
}

/* Append a row with NUMBERS, padded, to NEW, and add it to the sum. */
static void append_row(const struct vector_file *r, struct vector_file_new *new,
		       uint32_t number, uint64_t text, const int8_t *numbers)
{
	static const char zeros[VECTOR_FILE_STEP];
	struct row head = {number, 0, text};
	int32_t *sum;

	if (!vector_file_add_number(&new->numbers, number))
		return;
	if (!new->n) {
		buf_grow(&new->sum, r->padded * sizeof(*sum));
		memset(new->sum.p, 0, r->padded * sizeof(*sum));
		new->sum.len = r->padded * sizeof(*sum);
	}
	sum = (int32_t *)(void *)new->sum.p;
	for (size_t i = 0; i < r->dimension; i++) {
		head.norm += (uint32_t)(numbers[i] * numbers[i]);
		sum[i] += numbers[i];
	}
	buf_add(&new->rows, &head, sizeof(head));
	buf_add(&new->rows, numbers, r->dimension);
	buf_add(&new->rows, zeros, r->padded - r->dimension);
	new->n++;
}

/* Like roundf(), without a call for each number. */
static int8_t nearest(float x)
{
	const int whole = (int)x;
	const float rest = x - (float)whole;

	return (int8_t)(whole + (rest >= .5F) - (rest <= -.5F));
}

void vector_file_pack(const struct vector_file *r, const float *v, int8_t *out)
{
	const float scale = vector_file_scale(r->dimension);

	for (size_t i = 0; i < r->dimension; i++) {
		const float x = v[i] * scale;

		out[i] = nearest(x > 127 ? 127 : x < -127 ? -127 : x);
	}
}

void vector_file_add(const struct vector_file *r, struct vector_file_new *new,
		     uint32_t number, uint64_t text, const float *v)
{
	int8_t *numbers = mem_alloc(r->padded);

	vector_file_pack(r, v, numbers);
	append_row(r, new, number, text, numbers);
	free(numbers);
}

void vector_file_add_numbers(const struct vector_file *r,
			     struct vector_file_new *new, uint32_t number,
			     const int8_t *numbers)
{
	append_row(r, new, number, 0, numbers);
}

void vector_file_add_row(const struct vector_file *r,
			 struct vector_file_new *new, uint32_t number,
			 const char *row)
{
	append_row(r, new, number, vector_file_text(row),
		   vector_file_vector(row));
}

/* Append to OUT the part NEW. */
static void write_part(struct buf *out, const struct vector_file *r,
		       const struct vector_file_new *new)
{
	struct part head = {.n = (uint32_t) new->n};
	const size_t start = out->len;

	buf_grow(out, sizeof(head) + new->sum.len + new->rows.len);
	buf_add(out, &head, sizeof(head));
	buf_add(out, new->sum.p, new->sum.len);
	buf_add(out, new->rows.p, new->rows.len);
	head.hash = hash_part(r, out->p + start + 8, out->len - start - 8);
	memcpy(out->p + start, &head, sizeof(head));
}

/* Make the file NAME with the contents BYTES. */
static int make_file(int dir, const char *name, const struct buf *bytes,
		     struct err *e)
{
	int fd, r = -1;

	unlinkat(dir, TEMP, 0);
	fd = file_open(dir, TEMP, O_WRONLY | O_CREAT | O_EXCL | FILE_FLAGS,
		       0600);
	if (fd < 0)
		return err_sys(e, "cannot make '%s'", TEMP);
	if (io_write(fd, bytes->p, bytes->len))
		err_sys(e, "cannot write '%s'", TEMP);
	else if (renameat(dir, TEMP, dir, name))
		err_sys(e, "cannot rename '%s'", TEMP);
	else
		r = 0;
	close(fd);
	if (r < 0)
		unlinkat(dir, TEMP, 0);
	return r;
}

/* Append BYTES to the file NAME, if it has not changed since R was opened. */
static int append_file(const struct vector_file *r, int dir, const char *name,
		       const struct buf *bytes, struct err *e)
{
	int fd = file_open(dir, name, O_WRONLY | O_APPEND | FILE_FLAGS, 0);
	struct stat st;
	int done = -1;

	if (fd < 0)
		return err_sys(e, "cannot open '%s'", name);
	if (fstat(fd, &st) || st.st_ino != r->inode ||
	    st.st_size != (off_t)r->size)
		err_set(e, ERR_BUSY, "'%s' was changed meanwhile", name);
	else if (io_write(fd, bytes->p, bytes->len))
		err_sys(e, "cannot write '%s'", name);
	else
		done = 0;
	close(fd);
	return done;
}

int vector_file_write(const struct vector_file *r,
		      const struct vector_file_new *new, int dir,
		      const char *name, bool replace, struct err *e)
{
	struct header h = {.magic = MAGIC,
			   .version = VERSION,
			   .dimension = (uint32_t)r->dimension,
			   .store = r->store,
			   .encoder = r->encoder};
	struct buf bytes = {0};
	int done;

	replace = replace || !r->map;
	if (replace) {
		h.hash = hash_bytes(&h, sizeof(h) - 8, 0);
		buf_add(&bytes, &h, sizeof(h));
	}
	if (new->n)
		write_part(&bytes, r, new);
	done = replace ? make_file(dir, name, &bytes, e)
		       : append_file(r, dir, name, &bytes, e);
	buf_release(&bytes);
	return done;
}
