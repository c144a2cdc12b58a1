/* semantic.c: the question is encoded first, since this shows soonest that an
 * encoder is down. Then missing vectors are made; with a slow encoder, one
 * batch.
 */
#include "search/semantic.h"

#include "embed/vectors.h"
#include "rank/weights.h"
#include "repo/settings.h"
#include "sys/execpath.h"

#include <math.h>

#define WAIT_MS 10000 /* for the lock, when all vectors are made */

static void set_without(struct semantic *m, const char *why)
{
	snprintf(m->without, sizeof(m->without), "by words alone: %.480s", why);
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

/* Make the MOST oldest missing vectors of V, of the index IX. Return 0 or
 * -1. */
static int make_missing(struct semantic *m, struct vectors *v, struct index *ix,
			int wait_ms, size_t most, struct err *e)
{
	bool locked;
	int r;

	if (vectors_damaged(v))
		snprintf(m->without, sizeof(m->without),
			 "the vectors of '%.400s' were of no use, and are "
			 "made anew",
			 ix->store->repo.path);
	if (!vectors_missing(v))
		return 0;
	locked = cache_lock(ix->store->cache, wait_ms);
	r = vectors_update(v, locked, most, e);
	if (locked)
		cache_unlock(ix->store->cache);
	return r;
}

/* Compare all PARTS with QUESTION, and set COSINES. */
static int compare_parts(struct semantic *m, const struct answer_part *parts,
			 size_t n, const float *question, size_t dimension,
			 float *cosines, struct err *e)
{
	const size_t most =
		embed_is_static(m->encoder) ? SIZE_MAX : EMBED_BATCH;
	struct vectors_part *all = mem_alloc((n + 1) * sizeof(*all));
	struct vectors **v = mem_alloc((n + 1) * sizeof(*v));
	size_t missing = 0;
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++) {
		struct index *ix = parts[i].index;

		if (ix->cache) {
			v[i] = vectors_open(ix->cache, m->encoder);
			vectors_expect(v[i], dimension);
			r = make_missing(m, v[i], ix, 0, most, e);
			missing += vectors_missing(v[i]);
		}
		all[i] = (struct vectors_part){v[i], parts[i].numbers,
					       parts[i].n,
					       cosines + parts[i].first};
	}
	if (r == 0)
		vectors_compare(all, n, question, dimension);
	if (r == 0 && missing)
		snprintf(m->without, sizeof(m->without),
			 "%zu documents have no vector yet: run "
			 "co-index-update --vectors",
			 missing);
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

/* Return by how much Q lowers the weight of meaning, see rank/weights.h. Only
 * an encoder that sums up words has doubts. */
static float meaning_doubt(struct semantic *m, const struct query *q)
{
	double known = 0, words = 0, say;

	if (!embed_is_static(m->encoder))
		return 0;
	for (size_t i = 0; i < q->nterms; i++) {
		const struct query_term *t = &q->terms[i];

		if (t->whole)
			continue;
		words++;
		known += embed_knows(m->encoder, t->word, t->word_len);
	}
	say = words > 0 ? 2 * known / words - 1 : 1;
	if (words > WEIGHT_COSINE_WORDS)
		say *= WEIGHT_COSINE_WORDS / words;
	return 1 -
	       (float)(say > WEIGHT_COSINE_LEAST ? say : WEIGHT_COSINE_LEAST);
}

/* Encode the text WORDS as the question, unless it is the last one again. */
static int encode_question(struct semantic *m, const struct buf *words,
			   struct err *e)
{
	const struct embed_text text = {buf_str(words), words->len};

	if (m->asked.len && !strcmp(m->asked.p, text.p))
		return 0;
	buf_cut(&m->asked, 0);
	buf_cut(&m->vector, 0);
	if (embed_texts(m->encoder, EMBED_QUERY, &text, 1, &m->vector,
			&m->dimension, e) < 0)
		return -1;
	buf_add(&m->asked, text.p, text.len);
	return 0;
}

/* See struct answer_semantic. A query of operators only has no meaning. */
static void fill_cosines(void *ctx, const struct answer_part *parts, size_t n,
			 size_t documents, struct rank_ask *ask,
			 struct arena *a)
{
	struct semantic *m = ctx;
	struct buf words = {0};
	float *cosines;
	struct err e;

	m->used = false;
	if (!m->encoder || !documents)
		return;
	add_question_text(&words, ask->query, m->text);
	if (!words.len)
		return;
	cosines = arena_alloc(a, documents * sizeof(*cosines));
	if (encode_question(m, &words, &e) < 0 ||
	    compare_parts(m, parts, n, (const float *)(const void *)m->vector.p,
			  m->dimension, cosines, &e) < 0) {
		set_without(m, e.text);
	} else {
		ask->cosine = cosines;
		ask->cosine_alone = m->alone;
		ask->doubt = meaning_doubt(m, ask->query);
		ask->fusion = m->fusion;
		m->chance = chance_cosine(cosines, documents);
		m->used = true;
	}
	buf_release(&words);
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
	m->fusion = strcmp(settings_str(s, "rank.fusion"), "rrf") ? RANK_LINEAR
								  : RANK_RRF;
	found = embed_open(s, argv0, &m->encoder, &e);
	if (found <= 0)
		set_without(m, found ? e.text : "the settings want no encoder");
	return found;
}

void semantic_close(struct semantic *m)
{
	embed_close(m->encoder);
	word_vectors_close(m->words);
	buf_release(&m->asked);
	buf_release(&m->vector);
	arena_release(&m->arena);
	*m = (struct semantic){0};
}

/* Make all missing vectors: with a helper program in parts, to report
 * progress. */
static int make_all_missing(struct semantic *m, struct vectors *v,
			    struct index *ix, struct err *e)
{
	const size_t all = vectors_missing(v);
	const size_t most =
		embed_is_static(m->encoder) ? SIZE_MAX : EMBED_BATCH * 4;
	size_t before, left = all;
	int r;

	do {
		before = left;
		r = make_missing(m, v, ix, WAIT_MS, most, e);
		left = vectors_missing(v);
		progress_step(ix->store->progress, "vectors", all - left, all);
	} while (!r && left && left < before);
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
