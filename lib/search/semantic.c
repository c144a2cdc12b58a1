/* semantic.c: the question is encoded first, since this shows soonest that an
 * encoder is down. Then missing vectors are made: by the static encoder all; by
 * that of sentences, as many as MAKE_NS allows; by a helper program, one batch.
 *
 * The static encoder is asked before the ranking. Any other one is asked after it,
 * and only if the best hit by words has less than the whole question; but in mode
 * vector, before it. The encoder of sentences is asked only about questions in Latin
 * letters: it was trained on English, and on other scripts it is worse than the
 * words. For these, the static encoder is used, or none in mode sentences.
 */
#include "search/semantic.h"

#include "base/compat.h"
#include "base/instant.h"
#include "embed/vectors.h"
#include "rank/weights.h"
#include "repo/settings.h"
#include "sys/execpath.h"

#include <math.h>
#include <unistd.h>

#define WAIT_MS 10000 /* for the lock, when all vectors are made */
/* Processor time for missing vectors while a person waits. All threads together get
 * so much for each processor, so that this is about the time that passes if nothing
 * else runs. It is not measured by the time of day, so a busy machine makes as
 * many. */
#define MAKE_NS ((uint64_t)30 * 1000 * 1000)
#define STEP 64 /* vectors between two reports of progress */

static void set_without(struct semantic *m, const char *why)
{
	snprintf(m->without, sizeof(m->without), "by words only: %.480s", why);
}

/* Append the text for the encoder: the question as asked, or its words only if
 * it has operators. */
static void add_question_text(struct buf *out, const struct query *q,
			      const char *text)
{
	if (!query_narrows(q) && !q->nnots) {
		buf_adds(out, text);
		return;
	}
	for (size_t i = 0; i < q->nterms; i++) {
		buf_adds(out, i ? " " : "");
		buf_add(out, q->terms[i].word, q->terms[i].word_len);
	}
}

/* Make missing vectors of V, the newest first, of the index IX, within BUDGET, after
 * waiting up to WAIT_MS for another process that does. Set *LEFT to the number of those
 * that are still missing. Return 0 or -1. */
static int make_missing(struct semantic *m, struct vectors *v, struct index *ix,
			int wait_ms, struct vectors_budget *budget,
			size_t *left, struct err *e)
{
	const size_t missing = vectors_missing(v);
	bool locked;
	int r = 0;

	*left = missing;
	if (vectors_damaged(v))
		snprintf(m->without, sizeof(m->without),
			 "the vectors of '%.400s' were damaged, and are "
			 "rebuilt",
			 ix->store->repo.path);
	if (!missing)
		return 0;
	locked = cache_lock(ix->store->cache, wait_ms);
	vectors_reload(v);
	/* Without the lock: whatever has it makes vectors, so wait again. */
	if (locked || !wait_ms || vectors_missing(v) == missing)
		r = vectors_update(v, locked, budget, e);
	if (locked)
		cache_unlock(ix->store->cache);
	*left = vectors_missing(v);
	return r;
}

/* Note that MISSING documents have no vector. Only a helper program makes a
 * person wait for them. */
static void note_missing(struct semantic *m, const struct embed *encoder,
			 size_t missing)
{
	m->missing = missing;
	if (missing && !embed_is_local(encoder))
		snprintf(m->without, sizeof(m->without),
			 "%zu documents have no vector yet: run "
			 "co-index-update --vectors",
			 missing);
}

/* The documents of stores. */
struct stores {
	struct semantic *meaning;
	const struct answer_part *parts;
	size_t n;
};

/* Compare all parts of a struct stores with the question. */
static int compare_parts(void *ctx, struct embed *encoder,
			 const float *question, size_t dimension,
			 float *cosines, struct err *e)
{
	const struct stores *s = ctx;
	struct semantic *m = s->meaning;
	const struct answer_part *parts = s->parts;
	const size_t n = s->n;
	struct vectors_part *all = mem_alloc((n + 1) * sizeof(*all));
	struct vectors **v = mem_alloc((n + 1) * sizeof(*v));
	size_t missing = 0, left;
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++) {
		struct index *ix = parts[i].index;

		if (ix->cache) {
			v[i] = vectors_open(ix->cache, encoder);
			vectors_expect(v[i], dimension);
			r = make_missing(m, v[i], ix, 0, &m->budget, &left, e);
			missing += left;
		}
		all[i] = (struct vectors_part){v[i], parts[i].numbers,
					       parts[i].n,
					       cosines + parts[i].first};
	}
	if (r == 0)
		vectors_compare(all, n, question, dimension);
	if (r == 0)
		note_missing(m, encoder, missing);
	for (size_t i = 0; i < n; i++)
		vectors_close(v[i]);
	free(all);
	free(v);
	return r;
}

/* Return the cosine that chance would give the nearest: of N random numbers,
 * the greatest lies about sqrt(2 ln N) deviations above the mean. */
static float chance_cosine(const float *cosines, size_t n)
{
	double sum = 0, squares = 0, mean, variance;
	size_t compared = 0;

	for (size_t i = 0; i < n; i++) {
		sum += (double)cosines[i];
		squares += (double)cosines[i] * (double)cosines[i];
		compared += cosines[i] < 0 || cosines[i] > 0;
	}
	if (!compared)
		return 0;
	mean = sum / (double)compared;
	variance = squares / (double)compared - mean * mean;
	if (variance < 0)
		variance = 0;
	return (float)(mean + sqrt(2 * log((double)compared) * variance));
}

/* Return by how much Q lowers the weight of the meaning that the static ENCODER
 * sums up, see rank/weights.h. */
static float meaning_doubt(struct embed *encoder, const struct query *q)
{
	double known = 0, words = 0, say;

	for (size_t i = 0; i < q->nterms; i++) {
		const struct query_term *t = &q->terms[i];

		if (t->whole)
			continue;
		words++;
		known += embed_knows(encoder, t->word, t->word_len);
	}
	say = words > 0 ? 2 * known / words - 1 : 1;
	if (words > WEIGHT_COSINE_WORDS)
		say *= WEIGHT_COSINE_WORDS / words;
	return 1 -
	       (float)(say > WEIGHT_COSINE_LEAST ? say : WEIGHT_COSINE_LEAST);
}

/* Set what missing vectors may cost while the question is answered. */
static void set_budget(struct semantic *m, const struct embed *encoder)
{
	m->budget.texts = embed_is_local(encoder) ? SIZE_MAX : EMBED_BATCH;
	m->budget.until_ns =
		embed_is_sentences(encoder)
			? instant_processor_ns() + compat_processors() * MAKE_NS
			: 0;
}

/* Encode the text WORDS as the question, unless it is the last one again, for the
 * same encoder. */
static int encode_question(struct semantic *m, struct embed *encoder,
			   const struct buf *words, struct err *e)
{
	const struct embed_text text = {buf_str(words), words->len};

	if (m->asked.len && m->asked_of == encoder &&
	    !strcmp(m->asked.p, text.p))
		return 0;
	m->asked_of = encoder;
	buf_cut(&m->asked, 0);
	buf_cut(&m->vector, 0);
	if (embed_texts(encoder, EMBED_QUERY, &text, 1, &m->vector,
			&m->dimension, e) < 0)
		return -1;
	buf_add(&m->asked, text.p, text.len);
	set_budget(m, encoder);
	return 0;
}

/* Return the encoder for the question WORDS. Return NULL if there is none, after
 * setting why if it cannot be opened. */
static struct embed *choose_encoder(struct semantic *m, const struct buf *words)
{
	struct err e;

	if (!embed_is_sentences(m->encoder) ||
	    embed_reads(words->p, words->len))
		return m->encoder;
	if (m->only_sentences)
		return NULL;
	if (!m->other && embed_open_static(m->argv0, &m->other, &e) < 0)
		set_without(m, e.text);
	return m->other;
}

/* Return the similarity of each document of P to its question, in P->arena; or
 * NULL, after setting why. */
static const float *find_cosines(struct semantic *m, struct embed *encoder)
{
	const struct semantic_pending *p = &m->pending;
	float *cosines = arena_alloc(p->arena, (p->corpus.documents + 1) *
						       sizeof(*cosines));
	struct err e;

	if (encode_question(m, encoder, &m->words_asked, &e) < 0 ||
	    p->corpus.compare(p->corpus.ctx, encoder,
			      (const float *)(const void *)m->vector.p,
			      m->dimension, cosines, &e) < 0) {
		set_without(m, e.text);
		return NULL;
	}
	m->least = embed_is_sentences(encoder)
			   ? WEIGHT_COSINE_SHOWN
			   : chance_cosine(cosines, p->corpus.documents);
	m->reads_sentences = !embed_is_static(encoder);
	m->used = true;
	return cosines;
}

/* See struct rank_ask. */
static const float *find_cosines_late(void *ctx)
{
	struct semantic *m = ctx;
	struct semantic_pending *p = &m->pending;

	if (!p->tried)
		p->cosines = find_cosines(m, m->encoder);
	p->tried = true;
	return p->cosines;
}

/* A query of operators only has no meaning. */
void semantic_fill(struct semantic *m, const struct semantic_corpus *corpus,
		   struct rank_ask *ask, struct arena *a)
{
	struct embed *encoder;

	m->used = false;
	m->missing = 0;
	if (!m->encoder || !corpus->documents)
		return;
	buf_cut(&m->words_asked, 0);
	add_question_text(&m->words_asked, ask->query, m->text);
	if (!m->words_asked.len)
		return;
	encoder = choose_encoder(m, &m->words_asked);
	if (!encoder)
		return;
	m->pending = (struct semantic_pending){.corpus = *corpus, .arena = a};
	ask->cosine_alone = m->alone;
	if (!embed_is_static(encoder) && !m->alone) {
		ask->find_cosines = find_cosines_late;
		ask->find_ctx = m;
		return;
	}
	ask->cosine = find_cosines(m, encoder);
	if (!ask->cosine)
		ask->cosine_alone = false;
	else if (embed_is_static(encoder))
		ask->doubt = meaning_doubt(encoder, ask->query);
}

/* See struct answer_semantic. */
static void fill_cosines(void *ctx, const struct answer_part *parts, size_t n,
			 size_t documents, struct rank_ask *ask,
			 struct arena *a)
{
	struct stores *s = arena_alloc(a, sizeof(*s));
	const struct semantic_corpus corpus = {documents, compare_parts, s};

	*s = (struct stores){ctx, parts, n};
	semantic_fill(ctx, &corpus, ask, a);
}

/* See struct expansion_ask: the words that the static vectors know. */
static long word_place(void *ctx, const char *word, size_t len)
{
	struct semantic *m = ctx;
	struct buf path = {0};
	uint32_t place;
	struct err e;

	if (!m->sought &&
	    execpath_shared(&path, "models/words.bin", m->argv0) &&
	    word_vectors_open(path.p, &m->words, &e) <= 0)
		m->words = NULL;
	m->sought = true;
	buf_release(&path);
	if (!m->words ||
	    word_vectors_knows(m->words, word, len, &place, &e) != 1)
		return -1;
	return (long)place;
}

/* Close the encoder unless it is that of sentences. Return true if it is. */
static bool keep_only_sentences(struct semantic *m)
{
	if (embed_is_sentences(m->encoder))
		return true;
	embed_close(m->encoder);
	m->encoder = NULL;
	return false;
}

int semantic_open(struct semantic *m, const char *mode, const char *argv0,
		  const struct report *r)
{
	const struct settings *s;
	struct err e;
	int found;

	*m = (struct semantic){.how = {fill_cosines, m, {word_place, m, NULL}},
			       .text = "",
			       .argv0 = argv0};
	settings_user(&s, &m->arena, r, NULL);
	m->how.expansion.synonyms = settings_words(s, "synonyms", &m->arena);
	if (!strcmp(mode, "fts"))
		return 0;
	m->alone = !strcmp(mode, "vector");
	m->only_sentences = !strcmp(mode, "sentences");
	if (m->only_sentences &&
	    strcmp(settings_str(s, "embed.provider"), "sentences") != 0)
		return 0;
	found = embed_open(s, argv0, &m->encoder, &e);
	if (m->only_sentences && found == 1)
		return keep_only_sentences(m);
	if (found <= 0)
		set_without(m, found ? e.text : "the settings want no encoder");
	return found;
}

void semantic_close(struct semantic *m)
{
	embed_close(m->encoder);
	embed_close(m->other);
	word_vectors_close(m->words);
	buf_release(&m->asked);
	buf_release(&m->words_asked);
	buf_release(&m->vector);
	arena_release(&m->arena);
	*m = (struct semantic){0};
}

size_t semantic_missing(struct embed *encoder, const struct index *ix,
			size_t *all)
{
	struct vectors *v;
	size_t missing;

	*all = 0;
	if (!ix->cache)
		return 0;
	*all = view_count(ix->cache);
	v = vectors_open(ix->cache, encoder);
	missing = vectors_missing(v);
	vectors_close(v);
	return missing;
}

static bool is_orphan(const struct semantic *m)
{
	return m->parent && getppid() != m->parent;
}

/* Make all missing vectors, in parts, to report progress. */
static int make_all_missing(struct semantic *m, struct vectors *v,
			    struct index *ix, struct err *e)
{
	const size_t all = vectors_missing(v);
	const size_t most = embed_is_static(m->encoder)	 ? SIZE_MAX
			    : embed_is_local(m->encoder) ? STEP
							 : EMBED_BATCH * 4;
	size_t before, left = all;
	int r;

	do {
		struct vectors_budget budget = {.texts = most};

		before = left;
		r = make_missing(m, v, ix, WAIT_MS, &budget, &left, e);
		progress_step(ix->store->progress, "vectors", all - left, all);
	} while (!r && left && left < before && !is_orphan(m));
	return r;
}

size_t semantic_update(struct semantic *m, struct index *ix, size_t *made)
{
	struct vectors *v;
	size_t missing, left = 0;
	struct err e;

	*made = 0;
	if (!m->encoder || !ix->cache)
		return 0;
	v = vectors_open(ix->cache, m->encoder);
	missing = vectors_missing(v);
	if (make_all_missing(m, v, ix, &e) < 0)
		set_without(m, e.text);
	left = vectors_missing(v);
	*made = missing - left;
	vectors_close(v);
	return left;
}
