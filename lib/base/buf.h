/* buf.h: bytes that grow.
 *
 * A zeroed struct buf is valid and empty.  Once anything was added, p is
 * always NUL-terminated at p[len]; the contents may hold NULs of their own.
 * Appends cannot fail, so builders read straight down.
 */
#ifndef CO_BASE_BUF_H
#define CO_BASE_BUF_H

#include "base/base.h"

#include <stdarg.h>

struct buf {
	char *p;    /* NULL until something is added */
	size_t len; /* bytes held, the closing NUL not counted */
	size_t cap; /* bytes allocated */
};

/* Append LEN bytes, a string, one byte, a number in digits, printed text. */
void buf_add(struct buf *b, const void *p, size_t len);
void buf_adds(struct buf *b, const char *s);
void buf_addc(struct buf *b, char c);
void buf_addi(struct buf *b, int64_t i);
void buf_addf(struct buf *b, const char *fmt, ...) PRINTF(2, 3);
void buf_vaddf(struct buf *b, const char *fmt, va_list ap);

/* Append S between single quotes, one word to a shell. */
void buf_add_quoted(struct buf *b, const char *s);

/* Make room for EXTRA bytes more and a NUL; p is not NULL afterwards. */
void buf_grow(struct buf *b, size_t extra);

/* The contents as a string, "" when nothing was added; borrowed from B until
 * the next append. */
const char *buf_str(const struct buf *b);

/* Cut the contents to LEN bytes (LEN <= b->len); buf_cut(b, 0) empties it and
 * keeps the memory. */
void buf_cut(struct buf *b, size_t len);

/* The contents, never NULL; yours, release with free(); B is empty again. */
char *buf_take(struct buf *b);

/* Release the memory; B is valid and empty again. */
void buf_release(struct buf *b);

#endif
