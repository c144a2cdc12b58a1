/* metadata.c: collect the terms of all values, each once, with its largest
 * share. */
#include "rank/terms.h"

struct item {
	char term[TERMS_BYTES_MAX];
	size_t len;
	uint32_t share;
};

struct term_shares {
	struct item items[METADATA_TERMS_MAX];
	size_t n;
	size_t words; /* of the current value, without stop words */
	bool counting;
};

static void add_share(struct term_shares *g, const struct term *t,
		      uint32_t share)
{
	struct item *item;

	for (size_t i = 0; i < g->n; i++) {
		item = &g->items[i];
		if (item->len == t->len && !memcmp(item->term, t->p, t->len)) {
			if (share > item->share)
				item->share = share;
			return;
		}
	}
	if (g->n == METADATA_TERMS_MAX)
		return;
	item = &g->items[g->n++];
	memcpy(item->term, t->p, t->len);
	item->len = t->len;
	item->share = share;
}

static int count_or_add_term(void *ctx, const struct term *t)
{
	struct term_shares *g = ctx;

	if (words_is_stop(t->word, t->word_len))
		return 0;
	if (g->counting)
		g->words += !t->colocated;
	else
		add_share(
			g, t,
			(uint32_t)(METADATA_WHOLE / (g->words ? g->words : 1)));
	return 0;
}

static void add_value(struct terms *t, struct term_shares *g, const char *value)
{
	size_t len = strlen(value);

	g->words = 0;
	g->counting = true;
	terms_each(t, value, len, count_or_add_term, g);
	if (g->words > METADATA_WHOLE)
		g->words = METADATA_WHOLE;
	g->counting = false;
	terms_each(t, value, len, count_or_add_term, g);
}

int terms_metadata_each(struct terms *t, const char *const *tags, size_t ntags,
			const char *title, const char *source,
			terms_metadata_fn *fn, void *ctx)
{
	struct term_shares g = {.n = 0};
	int r = 0;

	for (size_t i = 0; i < ntags; i++)
		add_value(t, &g, tags[i]);
	if (title)
		add_value(t, &g, title);
	if (source && strpbrk(source, "0123456789"))
		add_value(t, &g, source);
	for (size_t i = 0; i < g.n && !r; i++)
		r = fn(ctx, g.items[i].term, g.items[i].len, g.items[i].share);
	return r;
}

static int store_term(void *ctx, const char *term, size_t len, uint32_t share)
{
	struct metadata *m = ctx;
	size_t step =
		(share * METADATA_STEPS + METADATA_WHOLE - 1) / METADATA_WHOLE -
		1;
	struct buf *b = &m->terms[step];

	buf_addc(b, (char)len); /* TERMS_BYTES_MAX is below 256 */
	buf_add(b, term, len);
	return 0;
}

void terms_metadata_take(struct metadata *m, struct terms *t,
			 const char *const *tags, size_t ntags,
			 const char *title, const char *source)
{
	for (size_t i = 0; i < METADATA_STEPS; i++)
		buf_cut(&m->terms[i], 0);
	terms_metadata_each(t, tags, ntags, title, source, store_term, m);
}

int terms_metadata_step(const struct metadata *m, size_t step,
			terms_metadata_step_fn *fn, void *ctx)
{
	const struct buf *b = &m->terms[step];
	int r = 0;

	for (size_t i = 0; i < b->len && !r;) {
		const unsigned char len = (unsigned char)b->p[i];

		r = fn(ctx, b->p + i + 1, len);
		i += 1 + (size_t)len;
	}
	return r;
}

void terms_metadata_release(struct metadata *m)
{
	for (size_t i = 0; i < METADATA_STEPS; i++)
		buf_release(&m->terms[i]);
}
