/* corpus-postings.c: a document is the difference of its number to the one before,
 * and then its count and its share in one number. Most take two bytes.
 */
#include "remote/corpus-postings.h"

#define SHARE_BITS 4 /* METADATA_STEPS is 15 */
#define SHARE ((1u << SHARE_BITS) - 1)

struct corpus_postings corpus_postings_walk(const char *p, size_t len)
{
	const unsigned char *start = (const unsigned char *)p;

	return (struct corpus_postings){.p = start, .end = start + len};
}

int corpus_postings_next(struct corpus_postings *w)
{
	uint64_t step, counts;

	if (w->p == w->end)
		return 0;
	if (!buf_read_number(&w->p, w->end, &step) ||
	    !buf_read_number(&w->p, w->end, &counts) || !step ||
	    step > INT32_MAX - (uint64_t)w->doc ||
	    counts >> SHARE_BITS > INT32_MAX)
		return -1;
	w->doc += (uint32_t)step;
	w->times = (uint32_t)(counts >> SHARE_BITS);
	w->share = counts & SHARE;
	return 1;
}

static struct corpus_change *find_change(struct corpus_changes *c,
					 const char *term, size_t len)
{
	struct table_look k = table_look_to_put(&c->by_term, term, len, 0);
	struct corpus_change *change;
	size_t i;

	while (table_next(&k, &i)) {
		if (c->items[i].len == len &&
		    !memcmp(c->items[i].term, term, len))
			return &c->items[i];
	}
	table_put_looked(&c->by_term, &k, c->n);
	change = MEM_ADD(c->items, c->n, c->cap);
	*change =
		(struct corpus_change){.term = mem_alloc(len + 1), .len = len};
	memcpy(change->term, term, len);
	return change;
}

void corpus_changes_add(struct corpus_changes *c, const struct corpus_terms *t,
			uint32_t number)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct corpus_term *term = &t->items[i];
		struct corpus_change *x =
			find_change(c, t->text.p + term->at, term->len);

		*MEM_ADD(x->added, x->nadded, x->cap_added) =
			(struct corpus_change_added){number, term->times,
						     term->share};
	}
}

void corpus_changes_drop(struct corpus_changes *c, const struct corpus_terms *t,
			 uint32_t number)
{
	for (size_t i = 0; i < t->n; i++) {
		struct corpus_change *x = find_change(
			c, t->text.p + t->items[i].at, t->items[i].len);

		*MEM_ADD(x->dropped, x->ndropped, x->cap_dropped) = number;
	}
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void add_posting(struct buf *out, uint32_t *last, uint32_t doc,
			uint32_t times, uint32_t share)
{
	buf_add_number(out, doc - *last);
	buf_add_number(out, (uint64_t)times << SHARE_BITS | share);
	*last = doc;
}

int corpus_changes_apply(struct corpus_change *x, const char *p, size_t len,
			 struct buf *out, struct err *e)
{
	struct corpus_postings w = corpus_postings_walk(p, len);
	uint32_t last = 0;
	size_t gone = 0;
	int r;

	MEM_SORT(x->dropped, x->ndropped, by_number);
	while ((r = corpus_postings_next(&w)) == 1) {
		while (gone < x->ndropped && x->dropped[gone] < w.doc)
			gone++;
		if (gone == x->ndropped || x->dropped[gone] != w.doc)
			add_posting(out, &last, w.doc, w.times, w.share);
	}
	if (r < 0)
		return err_set(e, ERR_DATA,
			       "the postings of '%.*s' are damaged",
			       (int)x->len, x->term);
	for (size_t i = 0; i < x->nadded; i++)
		add_posting(out, &last, x->added[i].doc, x->added[i].times,
			    x->added[i].share);
	return 0;
}

void corpus_changes_release(struct corpus_changes *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->items[i].term);
		free(c->items[i].added);
		free(c->items[i].dropped);
	}
	free(c->items);
	table_release(&c->by_term);
	*c = (struct corpus_changes){0};
}
