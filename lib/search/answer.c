/* answer.c: rank several indexes as one corpus.
 *
 * The documents of the stores follow each other: those of the first store
 * first, each store by number. The postings of a term also come by number, so
 * each is found from the one before, and postings of documents that are not
 * ranked are skipped.
 */
#include "search/answer.h"

#include "format/json-write.h"
#include "harvest/items.h"
#include "repo/marks.h"

#define STORE_STEP ((int64_t)1 << 40) /* above any id */

struct answer_corpus {
	struct corpus corpus;
	struct answer_part *parts;
	size_t nparts;
	unsigned kinds, lifted;
	uint32_t *numbers, *lengths, *family;
	uint8_t *traits;
	int64_t *place;
	bool lent; /* the arrays belong to the index */

	/* The postings of the last term. */
	struct buf term;
	bool asked;
	struct corpus_list text, meta;
	struct answer_part *part; /* the part being read */
	uint32_t at;		  /* index in its numbers */

	/* Of the last document. */
	struct arena tags;
	struct buf words;
};

static enum record_kind kind_of(unsigned view)
{
	return view == VIEW_MEMORY    ? RECORD_MEMORY
	       : view == VIEW_ARTICLE ? RECORD_ARTICLE
				      : RECORD_ITEM;
}

/* Return true if marks hide document I of the index. A damaged document is
 * found later, when it is ranked. */
static bool is_hidden(const struct answer_corpus *w, const struct index *ix,
		      size_t i)
{
	struct view_doc d;

	return ix->documents.marked[i] &&
	       view_find(ix->cache, ix->documents.numbers[i], &d) &&
	       store_marks(ix->store, &d.keys, NULL) & marks_hidden() &
		       ~w->lifted;
}

/* Add the documents of PART that are of KINDS and not hidden. */
static void add_documents(struct answer_corpus *w, struct answer_part *part)
{
	const struct documents *d = &part->index->documents;
	const uint32_t families = w->corpus.nfamilies;

	for (size_t i = 0; i < d->n && !w->lent; i++) {
		const uint32_t n = w->corpus.n;

		if (!(w->kinds & ANSWER_KIND(kind_of(d->kinds[i]))) ||
		    is_hidden(w, part->index, i))
			continue;
		w->numbers[n] = d->numbers[i];
		w->lengths[n] = d->lengths[i];
		w->traits[n] = d->traits[i];
		w->family[n] = d->family[i] ? d->family[i] + families : 0;
		w->place[n] = d->place[i];
		w->corpus.n++;
	}
	w->corpus.n += w->lent ? (uint32_t)d->n : 0;
	part->n = w->corpus.n - part->first;
	w->corpus.nfamilies += d->nfamilies;
}

/* Return true if all of D is ranked: then its arrays need not be copied. */
static bool can_borrow(const struct answer_corpus *w, const struct documents *d)
{
	for (size_t i = 0; i < d->n; i++) {
		if (!(w->kinds & ANSWER_KIND(kind_of(d->kinds[i]))) ||
		    d->marked[i])
			return false;
	}
	return true;
}

static void allocate_arrays(struct answer_corpus *w, struct index *all,
			    size_t n)
{
	size_t room = 0, most = 0;
	const struct documents *d;

	for (size_t i = 0; i < n; i++) {
		room += all[i].documents.n;
		most = all[i].documents.n > all[most].documents.n ? i : most;
	}
	d = &all[most].documents;
	w->lent = room && d->n == room && can_borrow(w, d);
	w->numbers = w->lent ? d->numbers
			     : mem_resize(NULL, room, sizeof(*w->numbers));
	w->lengths = w->lent ? d->lengths
			     : mem_resize(NULL, room, sizeof(*w->lengths));
	w->traits = w->lent ? d->traits
			    : mem_resize(NULL, room, sizeof(*w->traits));
	w->family = w->lent ? d->family
			    : mem_resize(NULL, room, sizeof(*w->family));
	w->place =
		w->lent ? d->place : mem_resize(NULL, room, sizeof(*w->place));
}

/* Add the documents of all N stores, in order. */
static void join_stores(struct answer_corpus *w, struct index *all, size_t n)
{
	allocate_arrays(w, all, n);
	w->parts = mem_alloc((n + 1) * sizeof(*w->parts));
	w->nparts = n;
	for (size_t i = 0; i < n; i++) {
		w->parts[i] = (struct answer_part){
			.index = &all[i],
			.first = w->corpus.n,
			.numbers = w->numbers + w->corpus.n,
		};
		add_documents(w, &w->parts[i]);
	}
	w->corpus.length = w->lengths;
	w->corpus.traits = w->traits;
	w->corpus.family = w->corpus.nfamilies ? w->family : NULL;
	w->corpus.place = w->place;
}

/* Advance w->at to the document NUMBER. Return true if the part has it. NUMBER
 * is above the last one. Numbers are distinct, so it is at most as many places
 * away as the numbers differ. */
static bool seek_number(struct answer_corpus *w, uint32_t number)
{
	const uint32_t *numbers = w->part->numbers;
	uint32_t low = w->at, high;

	if (low == w->part->n || numbers[low] > number)
		return false;
	high = w->part->n - 1 - low < number - numbers[low]
		       ? w->part->n - 1
		       : low + (number - numbers[low]);
	if (numbers[high] != number) {
		while (low < high) {
			uint32_t middle = low + (high - low) / 2;

			if (numbers[middle] < number)
				low = middle + 1;
			else
				high = middle;
		}
		high = low;
	}
	w->at = high;
	return numbers[high] == number;
}

static void receive_posting(void *ctx, uint32_t number, uint32_t text,
			    uint32_t meta)
{
	struct answer_corpus *w = ctx;

	if (!seek_number(w, number))
		return;
	if (text)
		corpus_add(&w->text, w->part->first + w->at,
			   text == FTS_IN_URL ? 0 : text);
	if (meta)
		corpus_add(&w->meta, w->part->first + w->at, meta);
}

static int read_term(struct answer_corpus *w, const char *term, size_t len,
		     struct err *e)
{
	w->text.n = w->meta.n = 0;
	for (size_t i = 0; i < w->nparts; i++) {
		struct index *ix = w->parts[i].index;
		struct fts *const both[] = {ix->db, ix->extra};

		w->part = &w->parts[i];
		for (size_t k = 0; k < ARRAY_LEN(both); k++) {
			w->at = 0;
			if (both[k] && fts_postings(both[k], term, len,
						    receive_posting, w, e) < 0)
				return -1;
		}
	}
	/* Documents indexed in memory may lie anywhere between the others. */
	corpus_sort(&w->text);
	corpus_sort(&w->meta);
	return 0;
}

static int get_postings(void *ctx, enum rank_field field, const char *term,
			size_t len, const struct posting **out, size_t *n,
			struct err *e)
{
	struct answer_corpus *w = ctx;
	const struct corpus_list *p = field == RANK_TEXT ? &w->text : &w->meta;

	if (!w->asked || w->term.len != len ||
	    memcmp(buf_str(&w->term), term, len) != 0) {
		w->asked = false;
		if (read_term(w, term, len, e) < 0)
			return -1;
		buf_cut(&w->term, 0);
		buf_add(&w->term, term, len);
		w->asked = true;
	}
	*out = p->items;
	*n = p->n;
	return 0;
}

static int get_vocabulary(void *ctx, corpus_term_fn *fn, void *fn_ctx,
			  struct err *e)
{
	struct answer_corpus *w = ctx;

	for (size_t i = 0; i < w->nparts; i++) {
		struct index *ix = w->parts[i].index;

		if ((ix->db && fts_terms(ix->db, fn, fn_ctx, e) < 0) ||
		    (ix->extra && fts_terms(ix->extra, fn, fn_ctx, e) < 0))
			return -1;
	}
	return 0;
}

/* Return the part of the document DOC. */
static struct answer_part *part_of_document(struct answer_corpus *w,
					    uint32_t doc)
{
	size_t i = 0;

	while (doc - w->parts[i].first >= w->parts[i].n)
		i++;
	return &w->parts[i];
}

static void find_doc(struct answer_corpus *w, uint32_t doc, struct view_doc *d)
{
	const struct answer_part *p = part_of_document(w, doc);

	if (!view_find(p->index->cache, p->numbers[doc - p->first], d))
		*d = (struct view_doc){.tags = "", .text = "", .path = ""};
}

static const char **list_tags(const struct view_doc *d, struct arena *a)
{
	const char **tags = NULL, *tag = d->tags;

	if (d->ntags)
		tags = arena_alloc(a, d->ntags * sizeof(*tags));
	for (size_t i = 0; i < d->ntags; i++, tag += strlen(tag) + 1)
		tags[i] = tag;
	return tags;
}

static void get_date(void *ctx, uint32_t doc, struct instant *created,
		     int64_t *id)
{
	struct answer_corpus *w = ctx;
	const struct answer_part *p = part_of_document(w, doc);

	view_date(p->index->cache, p->numbers[doc - p->first], created, id);
	/* At equal times, the first store comes first. */
	*id -= (p - w->parts) * STORE_STEP;
}

static int get_doc(void *ctx, uint32_t doc, struct rank_doc *out, struct err *e)
{
	struct answer_corpus *w = ctx;
	struct view_doc d;

	(void)e;
	find_doc(w, doc, &d);
	arena_reset(&w->tags);
	*out = (struct rank_doc){
		.created = d.at,
		.tags = list_tags(&d, &w->tags),
		.ntags = d.ntags,
		.source = d.source,
	};
	out->text = documents_words(&d, &w->words, &out->text_len);
	return 0;
}

/* Make hits of OUT->rank. Each is loaded, so that a damaged one is detected now. */
static void load_hits(struct answer_corpus *w, struct answer *out,
		      struct arena *a)
{
	out->hits = arena_alloc(a, (out->rank.n + 1) * sizeof(*out->hits));
	for (size_t i = 0; i < out->rank.n; i++) {
		const struct rank_hit *rank = &out->rank.hits[i];
		const struct answer_part *p = part_of_document(w, rank->doc);
		struct view_doc d;

		find_doc(w, rank->doc, &d);
		out->hits[out->n++] = (struct answer_hit){
			p->index, rank, p->numbers[rank->doc - p->first]};
	}
}

static void release_corpus(struct answer_corpus *w)
{
	free(w->parts);
	if (!w->lent) {
		free(w->numbers);
		free(w->lengths);
		free(w->traits);
		free(w->family);
		free(w->place);
	}
	free(w->text.items);
	free(w->meta.items);
	buf_release(&w->term);
	arena_release(&w->tags);
	buf_release(&w->words);
}

static int rank_stores(struct index *all, size_t n, unsigned kinds,
		       unsigned lifted, const struct rank_ask *ask,
		       const struct answer_semantic *meaning, struct arena *a,
		       struct answer *out, struct err *e)
{
	struct answer_corpus w = {.kinds = kinds, .lifted = lifted};
	struct rank_ask wide = *ask;
	int r;

	w.corpus.ctx = &w;
	w.corpus.postings = get_postings;
	w.corpus.doc = get_doc;
	w.corpus.date = get_date;
	w.corpus.vocabulary = get_vocabulary;
	join_stores(&w, all, n);
	if (meaning) {
		wide.expansion = &meaning->expansion;
		meaning->fill(meaning->ctx, w.parts, n, w.corpus.n, &wide, a);
	}
	*out = (struct answer){.documents = w.corpus.n};
	r = rank_files(&w.corpus, &wide, a, &out->rank, e);
	if (r == 0)
		load_hits(&w, out, a);
	release_corpus(&w);
	return r;
}

/* Repair IX if its view is damaged, or if WHY is an error of its database.
 * Return 1 if it was repaired, 0, or -1. */
static int repair_index(struct index *ix, const struct err *why, struct err *e)
{
	if (ix->cache && view_damaged(ix->cache))
		return index_reopen(ix, e) < 0 ? -1 : 1;
	if (why)
		return index_distrust(ix, why, e) < 0 ? -1 : 1;
	return 0;
}

int answer_find(struct index *all, size_t n, unsigned kinds, unsigned lifted,
		const struct rank_ask *ask,
		const struct answer_semantic *meaning, struct arena *a,
		struct answer *out, struct err *e)
{
	struct err why;
	int r = rank_stores(all, n, kinds, lifted, ask, meaning, a, out, &why);
	bool again = false;

	for (size_t i = 0; i < n; i++) {
		int mended = repair_index(&all[i], r < 0 ? &why : NULL, e);

		if (mended < 0)
			return -1;
		again |= mended;
	}
	return again ? rank_stores(all, n, kinds, lifted, ask, meaning, a, out,
				   e)
		     : r;
}

const char *answer_instead(const struct answer *answer, struct arena *a)
{
	const struct rank_term *t = answer->rank.terms, *last = NULL;
	const struct rank_term *end = t + answer->rank.nterms;
	struct buf out = {0};
	const char *text = NULL;

	for (; t < end; t++) {
		if (!t->instead || !t->documents)
			continue;
		if (!last)
			json_write_open(&out, NULL, '{');
		if (!last || strcmp(last->of, t->of) != 0) {
			if (last)
				json_write_close(&out, ']');
			json_write_open(&out, t->of, '[');
		}
		json_write_bytes(&out, NULL, t->p, t->len);
		last = t;
	}
	if (last) {
		json_write_close(&out, ']');
		json_write_close(&out, '}');
		text = arena_copy(a, out.p, out.len);
	}
	buf_release(&out);
	return text;
}

struct view_doc answer_doc(const struct answer_hit *hit)
{
	struct view_doc d = {
		.created = "", .tags = "", .text = "", .title = "", .path = ""};

	view_find_again(hit->index->cache, hit->number, &d);
	return d;
}

size_t answer_count(const struct index *ix, enum record_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < ix->documents.n; i++)
		n += kind_of(ix->documents.kinds[i]) == kind;
	return n;
}

void answer_item_fields(struct record *r, struct arena *a)
{
	const struct item_span whole = {.end = r->content_len};
	struct item it;

	if (r->content_len < 2 || memcmp(r->content, "- ", 2) != 0 ||
	    !item_read(&it, r->content, &whole, a))
		return;
	r->content = it.text;
	r->content_len = it.len;
	r->source = it.from;
	r->created = it.date ? it.date : "";
}

struct record answer_record(const struct answer_hit *hit, struct arena *a)
{
	const struct view_doc d = answer_doc(hit);
	struct record r = {
		.kind = kind_of(d.kind),
		.id = d.id,
		.path = arena_strdup(a, d.path),
		.scope = hit->index->store->repo.root.scope,
		.created = d.created,
		.at = d.at,
		.tags = list_tags(&d, a),
		.ntags = d.ntags,
		.source = d.source,
		.keys = d.keys,
		.content = d.text,
		.content_len = d.len,
		.ranked = true,
		.score = (double)hit->rank->score,
		.coverage = (double)hit->rank->coverage,
		.partial = hit->rank->partial,
		.title = d.kind == VIEW_MEMORY ? NULL : d.title,
	};

	store_set_origin(hit->index->store, &r);
	if (r.kind == RECORD_ITEM)
		answer_item_fields(&r, a);
	return r;
}
