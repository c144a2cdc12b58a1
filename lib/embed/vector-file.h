/* vector-file.h: vectors as rows of a flat file in a store's cache folder.
 *
 * A row is a document's number, a hash of the text that the vector was made
 * of, and the vector in bytes: a number x of a vector of length 1 is kept as
 * x * vector_file_scale(), rounded.  Rows stand by number, in parts; a part is
 * one append, with a checksum and the sum of its rows.  What a killed or
 * hostile writer left is told by the checksums: rows up to there count.
 *
 * The file is of one store and one encoder, by the numbers that its header
 * repeats.  The lock of the cache folder is held by whoever writes.
 */
#ifndef CO_EMBED_VECTOR_FILE_H
#define CO_EMBED_VECTOR_FILE_H

#include "base/buf.h"
#include "base/err.h"

/* The numbers of a row are padded with zeros to a multiple of this. */
#define VECTOR_FILE_STEP 16
#define VECTOR_FILE_HEAD 16 /* bytes of a row in front of its numbers */

struct vector_file_part {
	const char *rows; /* N, each of rows.stride bytes, 4-byte aligned */
	size_t n;
	const int32_t *sum; /* of their numbers, padded */
};

struct vector_file {
	uint64_t store, encoder;
	size_t dimension; /* 0: there are no rows, and may come to be any */
	size_t padded, stride;
	struct vector_file_part *parts;
	size_t nparts, n;
	uint32_t last; /* the highest number; 0: none */
	bool foreign;  /* of another store: its numbers mean nothing */
	bool damaged;  /* what follows the last part is of no use */
	void *map;     /* and what else is held */
	size_t size;
	uint64_t inode;
};

/* Rows being gathered; zero is valid, release with buf_release(). */
struct vector_file_new {
	struct buf rows, sum;
	size_t n;
};

/* Map NAME in the folder DIR.  Cannot fail: what is absent, of another encoder
 * or cannot be read has no rows. */
void vector_file_open(struct vector_file *r, int dir, const char *name,
		      uint64_t store, uint64_t encoder);
void vector_file_close(struct vector_file *r);

/* Settle the length of vectors, where there are no rows. */
void vector_file_set_dimension(struct vector_file *r, size_t dimension);

uint32_t vector_file_number(const char *row);
uint64_t vector_file_text(const char *row);
uint32_t vector_file_norm(const char *row); /* squared, of its numbers */
const int8_t *vector_file_vector(const char *row);

/* What a number of a vector of length 1 is multiplied by. */
float vector_file_scale(size_t dimension);

/* Append to NEW the vector V, R->dimension floats, of the document NUMBER; or a
 * copy of the numbers of ROW, which R's are like. */
void vector_file_add(const struct vector_file *r, struct vector_file_new *new,
		     uint32_t number, uint64_t text, const float *v);
void vector_file_add_row(const struct vector_file *r,
			 struct vector_file_new *new, uint32_t number,
			 const char *row);

/* Write NEW behind the rows of R; with REPLACE, in place of all of them.  0, or
 * -1 (ERR_SYSTEM, ERR_BUSY where somebody else did meanwhile); the file is then
 * as it was, or ends in what the next reader sees to be of no use. */
int vector_file_write(const struct vector_file *r,
		      const struct vector_file_new *new, int dir,
		      const char *name, bool replace, struct err *e);

#endif
