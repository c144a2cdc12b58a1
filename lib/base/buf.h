/* buf.h: growing byte buffers.
 *
 * A zeroed struct buf is valid and empty. After the first append, p[len] is
 * always NUL; the contents may also contain NUL bytes. Appending cannot fail:
 * when memory runs out, the process ends (mem.h).
 */
#ifndef CO_BASE_BUF_H
#define CO_BASE_BUF_H

#include "base/base.h"

#include <stdarg.h>

struct buf {
	char *p;    /* NULL until the first append */
	size_t len; /* bytes of content, without the final NUL */
	size_t cap; /* allocated bytes */
};

/* Append LEN bytes, a string, one byte, a decimal number, formatted text. */
void buf_add(struct buf *b, const void *p, size_t len);
void buf_adds(struct buf *b, const char *s);
void buf_addc(struct buf *b, char c);
void buf_addi(struct buf *b, int64_t i);
void buf_addf(struct buf *b, const char *fmt, ...) PRINTF(2, 3);
void buf_vaddf(struct buf *b, const char *fmt, va_list ap);

/* Append S quoted for the shell, in single quotes, as one word. */
void buf_add_quoted(struct buf *b, const char *s);

/* Append S as one word for the shell and for people: quoted only where it must be. */
void buf_add_word(struct buf *b, const char *s);

/* Append N in as few bytes as it needs: seven bits a byte, the lowest first; the high bit
 * says that another byte follows. A signed one has its sign in the lowest bit. */
void buf_add_number(struct buf *b, uint64_t n);
void buf_add_signed(struct buf *b, int64_t n);

/* Set *N to such a number at *P, before END, and advance *P. Return false if there is
 * none. */
bool buf_read_number(const unsigned char **p, const unsigned char *end,
		     uint64_t *n);
bool buf_read_signed(const unsigned char **p, const unsigned char *end,
		     int64_t *n);

/* Ensure room for EXTRA more bytes and a NUL. Afterwards p is not NULL. */
void buf_grow(struct buf *b, size_t extra);

/* Return the contents as a string, "" if nothing was appended. Borrowed from B
 * until the next change of B. */
const char *buf_str(const struct buf *b);

/* Return true if A and B have the same contents. */
bool buf_equal(const struct buf *a, const struct buf *b);

/* Set LINE and LEN to the line of B at *AT, without its end, and *AT to the next one.
 * Return false at the end. */
bool buf_next_line(const struct buf *b, size_t *at, const char **line,
		   size_t *len);

/* Truncate the contents to LEN bytes (LEN <= b->len) and keep the memory. */
void buf_cut(struct buf *b, size_t len);

/* Return the contents, never NULL, and make B empty. The caller frees. */
char *buf_take(struct buf *b);

/* Free the memory of B. B is valid and empty afterwards. */
void buf_release(struct buf *b);

#endif
