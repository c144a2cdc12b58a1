/* corpus-number.h: numbers in blobs: seven bits a byte, the lowest first; the high bit
 * says that another byte follows.
 */
#ifndef CO_REMOTE_CORPUS_NUMBER_H
#define CO_REMOTE_CORPUS_NUMBER_H

#include "base/buf.h"

/* Append N. A signed one has its sign in the lowest bit. */
void corpus_number_add(struct buf *out, uint64_t n);
void corpus_number_add_signed(struct buf *out, int64_t n);

/* Read a number at *P, before END, and advance *P. Return false if there is none. */
bool corpus_number_read(const unsigned char **p, const unsigned char *end,
			uint64_t *n);
bool corpus_number_read_signed(const unsigned char **p,
			       const unsigned char *end, int64_t *n);

#endif
