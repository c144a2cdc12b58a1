/* corpus-ranking.c: a corpus (see rank/corpus.h) from what a server sends.
 *
 * The terms of the question and their other forms are known before the ranking, and are
 * requested at once. Substitutes for a misspelled word, which the vocabulary gives, are
 * requested one by one. Texts come in batches, in the order that rank() announces.
 */
#include "remote/corpus-ranking.h"

#include "remote/corpus-postings.h"

#define BATCH 256			/* documents that are loaded at once */
#define LOADED_MAX ((size_t)64 << 20)	/* bytes of documents */
#define VALUES_MAX 10000		/* JSON values of a document */
#define PROJECT_STEP ((int64_t)1 << 40) /* above any id */

struct term_postings {
	char *term;
	size_t len;
	struct corpus_list text, meta;
	bool sorted;
};

/* The documents of a project follow each other in the corpus, from FIRST. */
struct project {
	uint32_t first, n;
};

struct loaded {
	uint32_t doc;
	struct remote_document d;
};

struct corpus_ranking {
	const struct corpus_source *source;
	struct corpus corpus;
	struct project *projects;
	size_t nprojects, cap_projects;

	/* Of each document. */
	uint32_t *numbers, *lengths, *family;
	uint8_t *traits;
	int64_t *place, *ids;
	struct instant *at;

	struct term_postings *terms;
	size_t nterms, cap_terms;
	struct table by_term;

	struct loaded *loaded;
	size_t nloaded, cap_loaded, bytes;
	struct table by_doc;
	struct arena arena; /* of the loaded documents */
	struct buf words;

	uint32_t *expected; /* see `expect` in rank/corpus.h */
	size_t nexpected, next;
};

struct corpus_ranking *corpus_ranking_new(const struct corpus_source *source)
{
	struct corpus_ranking *r = mem_alloc(sizeof(*r));

	r->source = source;
	return r;
}

static void drop_loaded(struct corpus_ranking *r)
{
	arena_reset(&r->arena);
	table_release(&r->by_doc);
	r->nloaded = r->bytes = 0;
}

void corpus_ranking_free(struct corpus_ranking *r)
{
	for (size_t i = 0; i < r->nterms; i++) {
		free(r->terms[i].term);
		free(r->terms[i].text.items);
		free(r->terms[i].meta.items);
	}
	free(r->terms);
	table_release(&r->by_term);
	table_release(&r->by_doc);
	arena_release(&r->arena);
	buf_release(&r->words);
	free(r->loaded);
	free(r->expected);
	free(r->projects);
	free(r->numbers);
	free(r->lengths);
	free(r->family);
	free(r->traits);
	free(r->place);
	free(r->ids);
	free(r->at);
	free(r);
}

size_t corpus_ranking_count(const struct corpus_ranking *r)
{
	return r->corpus.n;
}

const uint32_t *corpus_ranking_numbers(const struct corpus_ranking *r,
				       size_t index, size_t *first, size_t *n)
{
	const struct project *p = &r->projects[index];

	*first = p->first;
	*n = p->n;
	return r->numbers + p->first;
}

/* Make room for MORE documents. */
static void grow_arrays(struct corpus_ranking *r, size_t more)
{
	const size_t n = r->corpus.n + more + 1;

	r->numbers = mem_resize(r->numbers, n, sizeof(*r->numbers));
	r->lengths = mem_resize(r->lengths, n, sizeof(*r->lengths));
	r->family = mem_resize(r->family, n, sizeof(*r->family));
	r->traits = mem_resize(r->traits, n, sizeof(*r->traits));
	r->place = mem_resize(r->place, n, sizeof(*r->place));
	r->ids = mem_resize(r->ids, n, sizeof(*r->ids));
	r->at = mem_resize(r->at, n, sizeof(*r->at));
}

/* Return the number of X's family in the corpus, or 0 for none. */
static uint32_t family_of(struct corpus_ranking *r, struct families_numbers *f,
			  const struct corpus_column *x)
{
	uint32_t *number;

	if (!x->family)
		return 0;
	number = families_number(f, x->family);
	if (!*number)
		*number = ++r->corpus.nfamilies |
			  (x->kind == RECORD_ARTICLE ? FAMILIES_ARTICLE : 0);
	return *number;
}

int corpus_ranking_project(struct corpus_ranking *r, const char *columns,
			   size_t len, struct err *e)
{
	const int64_t now = instant_now().sec;
	struct families_numbers families = {0};
	struct corpus_columns c = {0};
	struct project *p;

	if (corpus_columns_read(&c, columns, len, e) < 0) {
		corpus_columns_release(&c);
		return -1;
	}
	grow_arrays(r, c.n);
	p = MEM_ADD(r->projects, r->nprojects, r->cap_projects);
	p->first = r->corpus.n;
	for (size_t i = 0; i < c.n; i++) {
		const struct corpus_column *x = &c.items[i];
		const uint32_t n = r->corpus.n;

		if (x->end && x->end <= now)
			continue;
		r->numbers[n] = x->number;
		r->lengths[n] = x->length;
		r->traits[n] = x->traits;
		r->place[n] = x->place;
		r->ids[n] = x->id;
		r->at[n] = x->at;
		r->family[n] = family_of(r, &families, x);
		r->corpus.n++;
	}
	p->n = r->corpus.n - p->first;
	families_numbers_release(&families);
	corpus_columns_release(&c);
	return 0;
}

/* Set *DOC to the document NUMBER of P. Return false if there is none. */
static bool find_number(const struct corpus_ranking *r, const struct project *p,
			uint32_t number, uint32_t *doc)
{
	uint32_t low = p->first, high = p->first + p->n;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (r->numbers[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	*doc = low;
	return low < p->first + p->n && r->numbers[low] == number;
}

/* Return the postings of TERM, added empty if they are new. */
static struct term_postings *find_term(struct corpus_ranking *r,
				       struct corpus_word term, bool *is_new)
{
	struct table_look k =
		table_look_to_put(&r->by_term, term.p, term.len, 0);
	struct term_postings *t;
	size_t i;

	*is_new = false;
	while (table_next(&k, &i)) {
		t = &r->terms[i];
		if (t->len == term.len && !memcmp(t->term, term.p, term.len))
			return t;
	}
	*is_new = true;
	t = MEM_ADD(r->terms, r->nterms, r->cap_terms);
	*t = (struct term_postings){.term = mem_alloc(term.len + 1),
				    .len = term.len};
	memcpy(t->term, term.p, term.len);
	table_put_looked(&r->by_term, &k, r->nterms - 1);
	return t;
}

int corpus_ranking_put(struct corpus_ranking *r, size_t index,
		       struct corpus_word term, struct corpus_word p,
		       struct err *e)
{
	struct corpus_postings w = corpus_postings_walk(p.p, p.len);
	bool is_new;
	struct term_postings *t = find_term(r, term, &is_new);
	uint32_t doc;
	int more;

	t->sorted = false;
	while ((more = corpus_postings_next(&w)) == 1) {
		if (!find_number(r, &r->projects[index], w.doc, &doc))
			continue;
		if (w.times)
			corpus_add(&t->text, doc, w.times - 1);
		if (w.share)
			corpus_add(&t->meta, doc,
				   w.share * (METADATA_WHOLE / METADATA_STEPS));
	}
	return more < 0 ? err_set(e, ERR_DATA, "the postings are damaged") : 0;
}

static int get_postings(void *ctx, enum rank_field field, const char *term,
			size_t len, const struct posting **out, size_t *n,
			struct err *e)
{
	struct corpus_ranking *r = ctx;
	const struct corpus_word word = {term, len};
	const struct corpus_list *l;
	struct term_postings *t;
	bool is_new;

	t = find_term(r, word, &is_new);
	if (is_new && r->source->postings(r->source->ctx, r, &word, 1, e) < 0)
		return -1;
	t = find_term(r, word, &is_new);
	if (!t->sorted) {
		corpus_sort(&t->text);
		corpus_sort(&t->meta);
	}
	t->sorted = true;
	l = field == RANK_TEXT ? &t->text : &t->meta;
	*out = l->items;
	*n = l->n;
	return 0;
}

static int get_vocabulary(void *ctx, corpus_term_fn *fn, void *fn_ctx,
			  struct err *e)
{
	struct corpus_ranking *r = ctx;

	return r->source->vocabulary(r->source->ctx, fn, fn_ctx, e);
}

static size_t project_of(const struct corpus_ranking *r, uint32_t doc)
{
	size_t i = 0;

	while (doc - r->projects[i].first >= r->projects[i].n)
		i++;
	return i;
}

static void get_date(void *ctx, uint32_t doc, struct instant *created,
		     int64_t *id)
{
	struct corpus_ranking *r = ctx;

	*created = r->at[doc];
	*id = r->ids[doc] - (int64_t)project_of(r, doc) * PROJECT_STEP;
}

static struct loaded *find_loaded(struct corpus_ranking *r, uint32_t doc)
{
	struct table_look k = table_look(&r->by_doc, NULL, 0, doc);
	size_t i;

	while (table_next(&k, &i)) {
		if (r->loaded[i].doc == doc)
			return &r->loaded[i];
	}
	return NULL;
}

int corpus_ranking_load(struct corpus_ranking *r, struct corpus_place place,
			const char *body, size_t len, struct err *e)
{
	struct loaded x;
	struct value v;

	if (!find_number(r, &r->projects[place.index], place.number, &x.doc) ||
	    find_loaded(r, x.doc))
		return 0;
	if (!json_within(body, len, VALUES_MAX))
		return err_set(e, ERR_DATA, "document %u is damaged",
			       (unsigned)place.number);
	if (json_parse(body, len, &r->arena, &v, e) < 0 ||
	    remote_document_read(&x.d, &v, &r->arena, e) < 0)
		return -1;
	table_put(&r->by_doc, NULL, 0, x.doc, r->nloaded);
	*MEM_ADD(r->loaded, r->nloaded, r->cap_loaded) = x;
	r->bytes += len;
	return 0;
}

static struct corpus_place place_of(const struct corpus_ranking *r,
				    uint32_t doc)
{
	return (struct corpus_place){project_of(r, doc), r->numbers[doc]};
}

/* Load DOC, and the documents that are expected after it. */
static int load_batch(struct corpus_ranking *r, uint32_t doc, struct err *e)
{
	struct corpus_place docs[BATCH] = {place_of(r, doc)};
	size_t n = 1, from = r->next;

	while (from < r->nexpected && r->expected[from] != doc)
		from++;
	for (size_t i = from + 1; i < r->nexpected && n < BATCH; i++) {
		if (!find_loaded(r, r->expected[i]))
			docs[n++] = place_of(r, r->expected[i]);
		r->next = i;
	}
	if (r->bytes > LOADED_MAX)
		drop_loaded(r);
	return r->source->documents(r->source->ctx, r, docs, n, e);
}

static int load_document(struct corpus_ranking *r, uint32_t doc,
			 const struct loaded **out, struct err *e)
{
	*out = find_loaded(r, doc);
	if (*out)
		return 0;
	if (load_batch(r, doc, e) < 0)
		return -1;
	*out = find_loaded(r, doc);
	return *out ? 0
		    : err_set(e, ERR_DATA, "the server lacks document %u",
			      (unsigned)r->numbers[doc]);
}

static int expect_documents(void *ctx, const uint32_t *docs, size_t n,
			    struct err *e)
{
	struct corpus_ranking *r = ctx;

	(void)e;
	r->expected = mem_resize(r->expected, n + 1, sizeof(*docs));
	memcpy(r->expected, docs, n * sizeof(*docs));
	r->nexpected = n;
	r->next = 0;
	return 0;
}

static int get_document(void *ctx, uint32_t doc, struct rank_doc *out,
			struct err *e)
{
	struct corpus_ranking *r = ctx;
	const struct loaded *x;

	if (load_document(r, doc, &x, e) < 0)
		return -1;
	buf_cut(&r->words, 0);
	*out = (struct rank_doc){
		.created = r->at[doc],
		.tags = x->d.tags,
		.ntags = x->d.ntags,
		.source = x->d.source,
	};
	out->text = corpus_terms_words(&x->d, &r->words, &out->text_len);
	return 0;
}

int corpus_ranking_get(struct corpus_ranking *r, uint32_t doc,
		       const struct remote_document **d, size_t *index,
		       struct err *e)
{
	const struct loaded *x;

	if (load_document(r, doc, &x, e) < 0)
		return -1;
	*d = &x->d;
	*index = project_of(r, doc);
	return 0;
}

/* Append TERM to the N words at WORDS, unless its postings are known. */
static void add_word(struct corpus_ranking *r, struct corpus_word term,
		     struct corpus_word *words, size_t *n)
{
	bool is_new;

	find_term(r, term, &is_new);
	if (is_new)
		words[(*n)++] = term;
}

const struct corpus_word *corpus_ranking_words(struct corpus_ranking *r,
					       const struct rank_ask *ask,
					       struct arena *a, size_t *n)
{
	const struct query *q = ask->query;
	struct expansion forms = {0};
	struct corpus_word *words;

	if (ask->expansion)
		expansion_forms(&forms, q, ask->expansion, a);
	words = arena_alloc(a, (q->nterms + q->nnots + forms.n + 1) *
				       sizeof(*words));
	*n = 0;
	for (size_t i = 0; i < q->nterms; i++)
		add_word(r,
			 (struct corpus_word){q->terms[i].p, q->terms[i].len},
			 words, n);
	for (size_t i = 0; i < q->nnots; i++)
		add_word(r,
			 (struct corpus_word){q->nots[i].terms[0].p,
					      q->nots[i].terms[0].len},
			 words, n);
	for (size_t i = 0; i < forms.n; i++)
		add_word(r,
			 (struct corpus_word){forms.terms[i].p,
					      forms.terms[i].len},
			 words, n);
	return words;
}

int corpus_ranking_run(struct corpus_ranking *r, const struct rank_ask *ask,
		       struct arena *a, struct rank_result *out, struct err *e)
{
	struct corpus *c = &r->corpus;

	c->ctx = r;
	c->length = r->lengths;
	c->traits = r->traits;
	c->family = c->nfamilies ? r->family : NULL;
	c->place = r->place;
	c->postings = get_postings;
	c->vocabulary = get_vocabulary;
	c->doc = get_document;
	c->expect = expect_documents;
	c->date = get_date;
	return rank_files(c, ask, a, out, e);
}
