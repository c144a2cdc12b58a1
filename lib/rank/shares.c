/* shares.c: see shares.h.  A term is shorter than 256 bytes. */
#include "rank/shares.h"

#include "rank/metadata.h"

static int keep(void *ctx, const char *term, size_t len, uint32_t share)
{
	struct shares *s = ctx;
	struct buf *b = &s->terms[(share * SHARES + 254) / 255 - 1];

	buf_addc(b, (char)len);
	buf_add(b, term, len);
	return 0;
}

void shares_take(struct shares *s, struct terms *t, const char *const *tags,
		 size_t ntags, const char *title, const char *source)
{
	for (size_t i = 0; i < SHARES; i++)
		buf_cut(&s->terms[i], 0);
	metadata_each(t, tags, ntags, title, source, keep, s);
}

int shares_each(const struct shares *s, size_t step, shares_fn *fn, void *ctx)
{
	const struct buf *b = &s->terms[step];
	int r = 0;

	for (size_t i = 0; i < b->len && !r;) {
		const unsigned char len = (unsigned char)b->p[i];

		r = fn(ctx, b->p + i + 1, len);
		i += 1 + (size_t)len;
	}
	return r;
}

void shares_release(struct shares *s)
{
	for (size_t i = 0; i < SHARES; i++)
		buf_release(&s->terms[i]);
}
