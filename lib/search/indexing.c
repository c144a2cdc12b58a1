/* indexing.c: two batches alternate. While threads split one into terms, which
 * is half of the work, the other is inserted into the database.
 */
#include "search/indexing.h"

#include "search/documents.h"

#define BYTES_MOST ((size_t)1 << 20) /* bytes of text in a batch, about */
#define LEAST 64 /* below this number, starting a thread takes longer */

void indexing_begin(struct indexing *x, struct fts *db, struct err *e)
{
	*x = (struct indexing){.db = db, .e = e};
	x->batches = mem_alloc(2 * sizeof(*x->batches));
	for (size_t i = 0; i < PARALLEL_MAX; i++)
		x->terms[i].index = true;
}

static void make_terms(struct indexing *x, unsigned who,
		       const struct view_doc *d, struct fts_made *made)
{
	struct indexing_tags *tags = &x->tags[who];
	struct fts_doc doc = {
		.ntags = d->ntags,
		.title = d->title,
		.source = d->source,
	};
	const char *tag = d->tags;

	if (d->ntags > tags->cap) {
		tags->cap = d->ntags * 2;
		tags->items = mem_resize(tags->items, tags->cap,
					 sizeof(*tags->items));
	}
	for (size_t i = 0; i < d->ntags; i++, tag += strlen(tag) + 1)
		tags->items[i] = tag;
	doc.tags = tags->items;
	doc.text = documents_words(d, &x->words[who], &doc.text_len);
	fts_make(made, &x->terms[who], &doc);
}

static void make_range(void *ctx, unsigned who, size_t from, size_t to)
{
	struct indexing *x = ctx;
	struct indexing_batch *b = &x->batches[x->now];

	for (size_t i = from; i < to; i++)
		make_terms(x, who, &b->docs[i], &b->made[i]);
}

static int insert_batch(struct indexing *x, struct indexing_batch *b)
{
	int r = 0;

	for (size_t i = 0; i < b->n && !r; i++)
		r = fts_add(x->db, b->docs[i].number, &b->made[i], x->e);
	b->n = b->bytes = 0;
	return r;
}

/* Make the terms of the batch just filled, and insert the one before it. */
static int process_batch(struct indexing *x)
{
	struct parallel threads;
	int r;

	parallel_begin(&threads, make_range, x, x->batches[x->now].n, LEAST);
	r = insert_batch(x, &x->batches[!x->now]);
	parallel_end(&threads);
	x->now = !x->now;
	return r;
}

int indexing_add(struct indexing *x, const struct view_doc *d)
{
	struct indexing_batch *b = &x->batches[x->now];

	b->docs[b->n++] = *d;
	if (b->n > b->most)
		b->most = b->n;
	b->bytes += d->len;
	return b->n == INDEXING_MOST || b->bytes >= BYTES_MOST
		       ? process_batch(x)
		       : 0;
}

int indexing_finish(struct indexing *x)
{
	return process_batch(x) < 0 ? -1
				    : insert_batch(x, &x->batches[!x->now]);
}

void indexing_release(struct indexing *x)
{
	for (size_t i = 0; x->batches && i < 2; i++) {
		for (size_t k = 0; k < x->batches[i].most; k++)
			fts_made_release(&x->batches[i].made[k]);
	}
	free(x->batches);
	for (size_t i = 0; i < PARALLEL_MAX; i++) {
		terms_release(&x->terms[i]);
		free(x->tags[i].items);
		buf_release(&x->words[i]);
	}
}
