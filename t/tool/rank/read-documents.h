/* read-documents.h: a corpus in memory, ranked without an index. */
#ifndef CO_READ_DOCUMENTS_H
#define CO_READ_DOCUMENTS_H

#include "base/arena.h"
#include "rank/rank.h"
#include "rank/terms.h"
#include "rank/traits.h"

struct held_list {
	char *key; /* the field, and the term */
	size_t len;
	struct posting *items;
	size_t n, cap;
};

struct held {
	struct corpus corpus; /* the added documents, after held_finish() */
	struct arena a;
	struct terms terms;
	struct held_list *lists; /* open addressing, nlists a power of 2 */
	size_t nlists, used;
	struct rank_doc *docs;
	uint32_t *lengths, *families;
	uint8_t *traits;
	int64_t *places;
	size_t cap_docs, cap_lengths, cap_families, cap_places, cap_traits;
	const char **sources; /* of the families */
	size_t cap_sources;
	uint32_t doc; /* the document being added */
};

static inline uint64_t held_hash(const char *p, size_t len)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)p[i]) * UINT64_C(1099511628211);
	return h;
}

static inline struct held_list *held_find(struct held *h, const char *key,
					  size_t len)
{
	size_t i = (size_t)held_hash(key, len) & (h->nlists - 1);

	while (h->lists[i].key &&
	       (h->lists[i].len != len || memcmp(h->lists[i].key, key, len)))
		i = (i + 1) & (h->nlists - 1);
	return &h->lists[i];
}

static inline void held_grow(struct held *h)
{
	struct held_list *old = h->lists;
	size_t n = h->nlists;

	if (h->used * 2 < n)
		return;
	h->nlists = n ? n * 2 : 1024;
	h->lists = mem_alloc(h->nlists * sizeof(*h->lists));
	for (size_t i = 0; i < n; i++) {
		if (old[i].key)
			*held_find(h, old[i].key, old[i].len) = old[i];
	}
	free(old);
}

static inline size_t held_key(char *key, enum rank_field field,
			      const char *term, size_t len)
{
	key[0] = (char)('0' + (int)field);
	memcpy(key + 1, term, len);
	return len + 1;
}

static inline void held_add_posting(struct held *h, enum rank_field field,
				    const char *term, size_t len, uint32_t n)
{
	char key[TERMS_BYTES_MAX + 1];
	struct held_list *list;
	size_t size = held_key(key, field, term, len);

	held_grow(h);
	list = held_find(h, key, size);
	if (!list->key) {
		list->key = arena_copy(&h->a, key, size);
		list->len = size;
		h->used++;
	}
	if (list->n && list->items[list->n - 1].doc == h->doc) {
		list->items[list->n - 1].n += n;
		return;
	}
	list->items = mem_grow(list->items, list->n, &list->cap,
			       sizeof(*list->items));
	list->items[list->n++] = (struct posting){h->doc, n};
}

static inline int held_term(void *ctx, const struct term *t)
{
	struct held *h = ctx;

	held_add_posting(h, RANK_TEXT, t->p, t->len, 1);
	h->lengths[h->doc] += !t->colocated;
	return 0;
}

static inline int held_meta(void *ctx, const char *term, size_t len,
			    uint32_t share)
{
	held_add_posting(ctx, RANK_META, term, len, share);
	return 0;
}

/* Return the number of the family of SOURCE. */
static inline uint32_t held_number(struct held *h, const char *source)
{
	uint32_t n = h->corpus.nfamilies;

	for (uint32_t i = 0; i < n; i++) {
		if (!strcmp(h->sources[i], source))
			return i + 1;
	}
	h->sources =
		mem_grow(h->sources, n, &h->cap_sources, sizeof(*h->sources));
	h->sources[n] = arena_strdup(&h->a, source);
	return ++h->corpus.nfamilies;
}

/* Add a document. Its strings must live as long as H. */
static inline void held_add(struct held *h, struct rank_doc d,
			    const char *title)
{
	h->doc = h->corpus.n++;
	h->docs = mem_grow(h->docs, h->doc, &h->cap_docs, sizeof(*h->docs));
	h->docs[h->doc] = d;
	h->lengths = mem_grow(h->lengths, h->doc, &h->cap_lengths,
			      sizeof(*h->lengths));
	h->lengths[h->doc] = 0;
	h->traits =
		mem_grow(h->traits, h->doc, &h->cap_traits, sizeof(*h->traits));
	h->traits[h->doc] = (uint8_t)traits_of_text(d.text, d.text_len);
	h->families = mem_grow(h->families, h->doc, &h->cap_families,
			       sizeof(*h->families));
	h->families[h->doc] = d.source && families_is_conversation(d.source)
				      ? held_number(h, d.source)
				      : 0;
	h->places =
		mem_grow(h->places, h->doc, &h->cap_places, sizeof(*h->places));
	h->places[h->doc] = d.created.sec;
	terms_document(&h->terms, d.text, d.text_len, d.tags, d.ntags,
		       held_term, h);
	terms_metadata_each(&h->terms, d.tags, d.ntags, title, d.source,
			    held_meta, h);
}

static inline int held_postings(void *ctx, enum rank_field field,
				const char *term, size_t len,
				const struct posting **out, size_t *n,
				struct err *e)
{
	struct held *h = ctx;
	char key[TERMS_BYTES_MAX + 1];
	const struct held_list *list;

	(void)e;
	held_grow(h);
	list = held_find(h, key, held_key(key, field, term, len));
	*out = list->items;
	*n = list->n;
	return 0;
}

static inline int held_doc(void *ctx, uint32_t doc, struct rank_doc *out,
			   struct err *e)
{
	struct held *h = ctx;

	(void)e;
	*out = h->docs[doc];
	return 0;
}

static inline void held_date(void *ctx, uint32_t doc, struct instant *created,
			     int64_t *id)
{
	const struct held *h = ctx;

	*created = h->docs[doc].created;
	*id = doc;
}

static inline const struct corpus *held_finish(struct held *h)
{
	h->corpus.ctx = h;
	h->corpus.length = h->lengths;
	h->corpus.traits = h->traits;
	h->corpus.family = h->families;
	h->corpus.place = h->places;
	h->corpus.postings = held_postings;
	h->corpus.doc = held_doc;
	h->corpus.date = held_date;
	return &h->corpus;
}

static inline void held_release(struct held *h)
{
	for (size_t i = 0; i < h->nlists; i++)
		free(h->lists[i].items);
	free(h->lists);
	free(h->docs);
	free(h->lengths);
	free(h->traits);
	free(h->families);
	free(h->places);
	free(h->sources);
	terms_release(&h->terms);
	arena_release(&h->a);
}

#endif
