#include "search/recall.h"

void recall_explain_damage(struct buf *out, const struct index *all, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct index_news *news = &all[i].news;

		if (*news->damage)
			buf_addf(out, "the index of '%s' %s: %s\n",
				 all[i].store->repo.path,
				 news->made ? "was rebuilt" : "cannot be used",
				 news->damage);
	}
}

static const char *documents(size_t n)
{
	return n == 1 ? "document" : "documents";
}

static void add_index(struct buf *out, const struct index *ix)
{
	const struct index_news *news = &ix->news;

	if (!ix->cache) {
		if (ix->store->repo.path)
			buf_addf(out, "absent: '%s'\n", ix->store->repo.path);
		return;
	}
	buf_addf(out, "index of '%s': ", ix->store->repo.path);
	if (news->made)
		buf_addf(out, "made of %zu %s", news->documents,
			 documents(news->documents));
	else if (news->added)
		buf_addf(out, "%zu of %zu documents added", news->added,
			 news->documents);
	else
		buf_addf(out, "fresh, %zu %s", news->documents,
			 documents(news->documents));
	if (news->memory)
		buf_addf(out, ", %zu in memory: %s", news->memory,
			 news->without);
	buf_addc(out, '\n');
}

static void add_terms(struct buf *out, const struct rank_result *r)
{
	for (size_t i = 0; i < r->nterms; i++) {
		const struct rank_term *t = &r->terms[i];

		buf_addf(out, "term '%.*s'", (int)t->len, t->p);
		if (t->of)
			buf_addf(out, " %s '%s'",
				 t->instead ? "instead of" : "in addition to",
				 t->of);
		buf_addf(out, ": weight %.3f, in %zu %s\n", t->weight,
			 t->documents, documents(t->documents));
	}
}

/* Append the line of one result. HIT is NULL if it was not ranked. */
static void add_hit(struct buf *out, size_t place, double score,
		    const struct answer_hit *hit, const char *path,
		    const struct answer *answer)
{
	const struct rank_hit *rank = hit ? hit->rank : NULL;
	const bool literal = !rank || score > (double)rank->score;
	const struct view_doc d =
		hit ? answer_doc(hit) : (struct view_doc){.title = ""};

	buf_addf(out, "%zu. score %.4f:", place, score);
	for (size_t i = 0; rank && i < RANK_NSIGNALS; i++) {
		if (rank->signals[i] != 0)
			buf_addf(out, " %s %.4f", rank_signal_names[i],
				 (double)rank->signals[i]);
	}
	buf_adds(out, literal ? " literal" : "");
	if (rank)
		buf_addf(out,
			 ", %u of %zu words, coverage %.2f, telling %.2f%s",
			 rank->words, answer->rank.words,
			 (double)rank->coverage, (double)rank->telling,
			 rank->partial && !literal ? " (partial)" : "");
	buf_addf(out, ": '%s'", path ? path : d.path);
	if (hit && *d.title)
		buf_addf(out, ", %s", d.title);
	buf_addc(out, '\n');
}

void recall_explain_search(struct buf *out, const char *mode,
			   const struct index *all, size_t n,
			   const struct answer *answer)
{
	buf_addf(out, "mode %s: %zu %s ranked\n", mode, answer->documents,
		 documents(answer->documents));
	for (size_t i = 0; i < n; i++)
		add_index(out, &all[i]);
	add_terms(out, &answer->rank);
}

void recall_explain_hit(struct buf *out, const struct answer *answer, size_t i)
{
	const struct answer_hit *hit = &answer->hits[i];

	add_hit(out, i + 1, (double)hit->rank->score, hit, NULL, answer);
}

/* A hit, and the entry of its memory in the view. */
struct entry_hit {
	const struct catalog_entry *entry;
	const struct answer_hit *hit;
};

static int by_entry(const void *a, const void *b)
{
	const struct entry_hit *x = a, *y = b;

	return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Return the hit of the memory I among ALL, which is sorted, or NULL. */
static const struct answer_hit *find_hit(const struct recall *recalled,
					 size_t i, const struct entry_hit *all)
{
	const struct entry_hit key = {recalled->memories.items[i].entry, NULL};
	const struct entry_hit *found =
		bsearch(&key, all, recalled->answers[RECORD_MEMORY].n,
			sizeof(*all), by_entry);

	return found ? found->hit : NULL;
}

/* Append which encoder was asked, and what it still lacks. */
static void add_meaning(struct buf *out, const struct semantic *m)
{
	const struct embed *asked = m->asked_of ? m->asked_of : m->encoder;

	if (!m->encoder)
		return;
	buf_addf(out, "meaning: %s", embed_name(asked));
	if (m->used)
		embed_describe(asked, out);
	else
		buf_adds(out, ", not asked");
	if (m->used && m->missing)
		buf_addf(out,
			 ", %zu documents have no vector yet: run "
			 "co-index-update",
			 m->missing);
	buf_addc(out, '\n');
}

/* Append how each kind was searched. */
static void add_kinds(struct buf *out, const struct recall *r)
{
	const char *mode = recall_mode_name(r->mode);
	size_t ranked = 0;

	for (enum record_kind k = 0; k < RECORD_KINDS; k++)
		ranked += r->answers[k].documents;
	buf_addf(out, "mode %s: %zu %s ranked\n", mode, ranked,
		 documents(ranked));
	for (size_t i = 0; i < r->nindexes; i++)
		add_index(out, &r->indexes[i]);
	add_meaning(out, &r->meaning);
	for (enum record_kind k = 0; k < RECORD_KINDS; k++)
		add_terms(out, &r->answers[k].rank);
}

void recall_explain(const struct recall *recalled,
		    void (*say)(struct buf *text))
{
	const struct answer *memories = &recalled->answers[RECORD_MEMORY];
	struct entry_hit *all = mem_alloc((memories->n + 1) * sizeof(*all));
	struct arena a = {0};
	struct buf text = {0};

	add_kinds(&text, recalled);
	say(&text);
	for (size_t i = 0; i < memories->n; i++) {
		struct view_ref ref = {0};

		view_keep_number(memories->hits[i].index->cache,
				 memories->hits[i].number, &ref);
		all[i] = (struct entry_hit){ref.entry, &memories->hits[i]};
	}
	qsort(all, memories->n, sizeof(*all), by_entry);
	for (size_t i = 0; i < recalled->n; i++) {
		const struct recall_found *f = &recalled->found[i];
		const struct answer *answer = &recalled->answers[f->kind];
		struct record r;

		arena_reset(&a);
		recall_get(recalled, i, &a, &r);
		add_hit(&text, i + 1, r.score,
			f->kind == RECORD_MEMORY ? find_hit(recalled, f->i, all)
						 : &answer->hits[f->i],
			r.path, answer);
		say(&text);
	}
	buf_release(&text);
	arena_release(&a);
	free(all);
}

void recall_explain_grep(struct buf *notes, const struct recall *r,
			 const char *mode, const struct store *stores, size_t n)
{
	buf_addf(notes, "mode %s: by grep, for %s\n", mode,
		 r->n && !r->found[0].partial
			 ? "the whole query"
			 : "the query, which no memory has whole, and then "
			   "for its words");
	for (size_t i = 0; i < n; i++) {
		if (stores[i].repo.path)
			buf_addf(notes, "%s '%s'\n",
				 stores[i].repo.fd < 0 ? "absent:" : "read:",
				 stores[i].repo.path);
	}
}
