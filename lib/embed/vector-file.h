/* vector-file.h: vectors as rows of a flat file in the store's cache directory.
 *
 * A row has a document's number, a hash of the encoded text, and the vector in
 * bytes: a number x of a vector of length 1 is stored as x *
 * vector_file_scale(), rounded. Rows have any order, and a number has one row. They
 * are grouped in parts: one append, with a checksum and the sum of its rows.
 * Checksums detect what a killed or hostile writer left; the rows before it count.
 *
 * A file belongs to one store and one encoder, whose identities are in its
 * header. A writer must hold the lock of the cache directory.
 */
#ifndef CO_EMBED_VECTOR_FILE_H
#define CO_EMBED_VECTOR_FILE_H

#include "base/buf.h"
#include "base/err.h"

/* The numbers of a row are padded with zeros to a multiple of this. */
#define VECTOR_FILE_STEP 16
#define VECTOR_FILE_HEAD 16 /* bytes before the numbers of a row */

/* A set of numbers, one bit each. A zeroed one is empty. */
struct vector_file_numbers {
	uint8_t **pages; /* by the upper bits of a number; NULL: empty */
};

struct vector_file_part {
	const char *rows; /* N rows of `stride` bytes, 4-byte aligned */
	size_t n;
	const int32_t *sum; /* of their numbers, padded */
};

struct vector_file {
	uint64_t store, encoder;
	size_t dimension; /* 0: no rows, not determined yet */
	size_t padded, stride;
	struct vector_file_part *parts;
	size_t nparts, n;
	struct vector_file_numbers numbers; /* of all rows */
	bool foreign; /* of another store: its numbers are meaningless */
	bool damaged; /* the file ends in an invalid part */
	void *map;    /* the mapping */
	size_t size;
	uint64_t inode;
};

/* Rows to be written. A zeroed one is valid; release it with
 * vector_file_release(), after which it is empty. */
struct vector_file_new {
	struct buf rows, sum;
	struct vector_file_numbers numbers;
	size_t n;
};
void vector_file_release(struct vector_file_new *new);

/* Return true if NUMBERS has NUMBER. */
bool vector_file_has_number(const struct vector_file_numbers *numbers,
			    uint32_t number);

/* Add NUMBER. Return false if NUMBERS has it. */
bool vector_file_add_number(struct vector_file_numbers *numbers,
			    uint32_t number);

/* Remove all numbers, and free their memory. */
void vector_file_release_numbers(struct vector_file_numbers *numbers);

/* Map the file NAME in the directory DIR. A file that is absent, of another
 * encoder or unreadable has no rows. */
void vector_file_open(struct vector_file *r, int dir, const char *name,
		      uint64_t store, uint64_t encoder);
void vector_file_close(struct vector_file *r);

/* Set the length of vectors. R has no rows. */
void vector_file_set_dimension(struct vector_file *r, size_t dimension);

/* Set the R->dimension bytes of OUT to the numbers of V, as a row has them. */
void vector_file_pack(const struct vector_file *r, const float *v, int8_t *out);

uint32_t vector_file_number(const char *row);
uint64_t vector_file_text(const char *row);
uint32_t vector_file_norm(const char *row); /* squared length of the stored
					     * numbers */
const int8_t *vector_file_vector(const char *row);

/* Return the factor for the numbers of a vector of length 1. */
float vector_file_scale(size_t dimension);

/* Append to NEW the vector V, R->dimension floats, of the document NUMBER; or a
 * copy of ROW's numbers, which has the dimension of R. Each function that appends
 * ignores a NUMBER that NEW has. */
void vector_file_add(const struct vector_file *r, struct vector_file_new *new,
		     uint32_t number, uint64_t text, const float *v);
void vector_file_add_row(const struct vector_file *r,
			 struct vector_file_new *new, uint32_t number,
			 const char *row);

/* Append to NEW the NUMBERS, R->padded of them, of the document NUMBER. */
void vector_file_add_numbers(const struct vector_file *r,
			     struct vector_file_new *new, uint32_t number,
			     const int8_t *numbers);

/* Append NEW to the file of R, or with REPLACE write it in place of all rows.
 * Return 0, or -1: ERR_SYSTEM, or ERR_BUSY if another process wrote meanwhile.
 * Then the file is unchanged, or ends in a part that readers find invalid. */
int vector_file_write(const struct vector_file *r,
		      const struct vector_file_new *new, int dir,
		      const char *name, bool replace, struct err *e);

#endif
