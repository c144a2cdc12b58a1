/* buf.c: the capacity doubles, so appending takes linear time in total. The
 * first allocation is exactly what the first append needs (at least FIRST
 * bytes), because it is often the only one. */
#include "base/buf.h"

#include "base/mem.h"

#define FIRST 64

void buf_grow(struct buf *b, size_t extra)
{
	size_t need = b->len + extra + 1;
	size_t cap = b->cap;

	if (need <= b->len) /* overflow */
		mem_none();
	if (need <= b->cap)
		return;
	if (!cap)
		cap = need < FIRST ? FIRST : need;
	while (cap < need)
		cap = cap > SIZE_MAX / 2 ? SIZE_MAX : cap * 2;
	b->p = mem_resize(b->p, cap, 1);
	b->cap = cap;
	b->p[b->len] = '\0';
}

void buf_add(struct buf *b, const void *p, size_t len)
{
	if (b->cap - b->len <= len)
		buf_grow(b, len);
	if (len)
		memcpy(b->p + b->len, p, len);
	b->len += len;
	b->p[b->len] = '\0';
}

void buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_add_quoted(struct buf *b, const char *s)
{
	buf_addc(b, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			buf_adds(b, "'\\''");
		else
			buf_addc(b, *s);
	}
	buf_addc(b, '\'');
}

void buf_add_number(struct buf *b, uint64_t n)
{
	for (; n > 0x7f; n >>= 7)
		buf_addc(b, (char)(unsigned char)(n | 0x80));
	buf_addc(b, (char)n);
}

void buf_add_signed(struct buf *b, int64_t n)
{
	buf_add_number(b, (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0));
}

bool buf_read_number(const unsigned char **p, const unsigned char *end,
		     uint64_t *n)
{
	*n = 0;
	for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
		const unsigned char c = *(*p)++;

		*n |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return true;
	}
	return false;
}

bool buf_read_signed(const unsigned char **p, const unsigned char *end,
		     int64_t *n)
{
	uint64_t u;

	if (!buf_read_number(p, end, &u))
		return false;
	*n = (int64_t)(u >> 1 ^ (u & 1 ? UINT64_MAX : 0));
	return true;
}

void buf_add_word(struct buf *b, const char *s)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789/._-:@=+,%";

	(s[strspn(s, plain)] || !*s ? buf_add_quoted : buf_adds)(b, s);
}

void buf_addc(struct buf *b, char c)
{
	if (b->cap - b->len <= 1)
		buf_grow(b, 1);
	b->p[b->len++] = c;
	b->p[b->len] = '\0';
}

void buf_addi(struct buf *b, int64_t i)
{
	char digits[20];
	size_t at = sizeof(digits);
	uint64_t rest = i < 0 ? -(uint64_t)i : (uint64_t)i;

	do
		digits[--at] = (char)('0' + rest % 10);
	while (rest /= 10);
	if (i < 0)
		digits[--at] = '-';
	buf_add(b, digits + at, sizeof(digits) - at);
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	va_copy(again, ap);
	buf_grow(b, 0);
	len = vsnprintf(b->p + b->len, b->cap - b->len, fmt, ap);
	if (len > 0 && (size_t)len >= b->cap - b->len) {
		buf_grow(b, (size_t)len);
		vsnprintf(b->p + b->len, (size_t)len + 1, fmt, again);
	}
	b->len += len > 0 ? (size_t)len : 0;
	b->p[b->len] = '\0';
	va_end(again);
}

const char *buf_str(const struct buf *b)
{
	return b->p ? b->p : "";
}

bool buf_next_line(const struct buf *b, size_t *at, const char **line,
		   size_t *len)
{
	const char *end;

	if (*at >= b->len)
		return false;
	*line = b->p + *at;
	end = memchr(*line, '\n', b->len - *at);
	*len = end ? (size_t)(end - *line) : b->len - *at;
	*at += *len + 1;
	return true;
}

void buf_cut(struct buf *b, size_t len)
{
	if (!b->p)
		return;
	b->len = len;
	b->p[len] = '\0';
}

char *buf_take(struct buf *b)
{
	char *p;

	buf_grow(b, 0);
	p = b->p;
	*b = (struct buf){0};
	return p;
}

void buf_release(struct buf *b)
{
	free(b->p);
	*b = (struct buf){0};
}

bool buf_equal(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->p, b->p, a->len));
}
