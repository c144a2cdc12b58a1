/* rank.c: the signals of each document, added, and the best by a heap.
 *
 * What takes a callback (dates, tags, phrases, ties) is asked only of documents
 * that would enter the results.
 *
 * Known limit: the words of a question beyond its first 64 terms rank, but do
 * not tell whole from partial.
 */
#include "rank/rank.h"

#include "base/arena.h"
#include "base/ascii.h"
#include "base/top.h"
#include "rank/places.h"
#include "rank/scores.h"
#include "rank/weights.h"
#include "rank/words.h"

#include <float.h>
#include <math.h>

const char *const rank_signal_names[RANK_NSIGNALS] = {
	"words",    "places", "neighbours", "parent",
	"metadata", "time",   "cosine"};

enum { UNKNOWN, FITS, UNFIT };

struct ranking {
	const struct corpus *c;
	const struct rank_ask *ask;
	const struct query *q;
	struct rank_result *out;
	struct err *e;
	struct scores s;
	struct expansion more; /* terms */
	float *placed;	       /* what each gains by its places */
	float *score;	       /* of each document; below 0: no candidate */
	uint8_t *state;	       /* FITS or UNFIT, once known */
	bool *suspect;	       /* it may hold a phrase that it must not */
	float cosine_weight;
	bool phrases;  /* must be there */
	uint64_t need; /* so that these terms must */
	bool all;      /* no words: whatever the rest admits */
	struct terms terms;
	bool failed; /* and said why */
};

static void init(struct ranking *r)
{
	const struct corpus *c = r->c;

	scores_init(&r->s, c);
	r->placed = mem_alloc(c->n * sizeof(*r->placed));
	r->score = mem_alloc(c->n * sizeof(*r->score));
	r->state = mem_alloc(c->n * sizeof(*r->state));
	r->phrases = r->q->nphrases > 0;
	r->all = !r->q->nterms && !r->ask->cosine &&
		 (query_narrows(r->q) || r->q->nnots);
	r->cosine_weight = (float)(WEIGHT_COSINE_SHORT +
				   (WEIGHT_COSINE_LONG - WEIGHT_COSINE_SHORT) *
					   r->s.lengthy) *
			   (1 - r->ask->doubt);
}

static void release(struct ranking *r)
{
	scores_release(&r->s);
	free(r->placed);
	free(r->score);
	free(r->state);
	free(r->suspect);
	terms_release(&r->terms);
}

/* Add T, a term of the question with its BIT or one near to it. */
static int add_term(struct ranking *r, struct rank_term *t, float weight,
		    uint64_t bit)
{
	return scores_add(&r->s, t->p, t->len, weight, bit, !t->of,
			  &t->documents, &t->weight, r->e);
}

/* What a term counts that a question says so many times: 1 and more. */
static float repeated(size_t times)
{
	return (float)((WEIGHT_REPEATED + 1) * (double)times /
		       (WEIGHT_REPEATED + (double)times));
}

/* How much of what a word counts is left where it says when. */
static float counts(const struct query_term *t)
{
	return t->when ? (float)WEIGHT_TIME_WORDS : 1;
}

/* How far T is from the words that everybody uses, 0 to 1, by its place among
 * those of English; 1 where it is none of them. */
static float rare_in_english(const struct ranking *r,
			     const struct query_term *t)
{
	const struct expansion_ask *x = r->ask->expansion;
	long place = -1;
	double share;

	/* The news, of which the list is made, are full of days; talk is not. */
	if (x && x->place && !words_is_weekday(t->word, t->word_len))
		place = x->place(x->ctx, t->word, t->word_len);
	if (place < 0)
		return 1;
	share = log((double)(place + 1) / WEIGHT_TALK_WORDS) /
		log(WEIGHT_RARE_WORDS / WEIGHT_TALK_WORDS);
	return share < 0 ? 0 : share > 1 ? 1 : (float)share;
}

/* How much of what a word counts is left where the documents are too few to
 * tell how rare it is. */
static float by_english(const struct ranking *r, const struct query_term *t)
{
	const double few = WEIGHT_DOCUMENTS / (WEIGHT_DOCUMENTS + r->c->n);
	const float most = (float)(WEIGHT_ENGLISH * few);

	/* The list of words is not opened for nothing, nor for one word alone. */
	if (most < WEIGHT_ENGLISH_LEAST || r->ask->query->nterms < 2)
		return 1;
	return 1 - most * (1 - rare_in_english(r, t));
}

static float weight_of(const struct ranking *r, const struct query_term *t)
{
	return repeated(t->times) * counts(t) * by_english(r, t);
}

/* The bit of term I, of the question or beyond. */
static uint64_t bit_of(size_t i)
{
	return i < SCORES_BITS ? UINT64_C(1) << i : 0;
}

/* Set *MISSING if no document holds T, be it in its title or source. */
static int is_missing(const struct ranking *r, const struct rank_term *t,
		      bool *missing)
{
	const struct posting *p;
	size_t n = 0;

	if (!t->documents && r->c->postings(r->c->ctx, RANK_META, t->p, t->len,
					    &p, &n, r->e) < 0)
		return -1;
	*missing = !t->documents && !n;
	return 0;
}

/* Find what else is looked for, the terms T of the question being counted. */
static int expand(struct ranking *r, const struct rank_term *t, struct arena *a)
{
	const struct query *q = r->q;
	bool *missing = arena_alloc(a, q->nterms + 1);

	if (!r->ask->expansion)
		return 0;
	for (size_t i = 0; i < q->nterms; i++) {
		if (is_missing(r, &t[i], &missing[i]) < 0)
			return -1;
	}
	expansion_forms(&r->more, q, r->ask->expansion, a);
	return expansion_instead(&r->more, q, missing, r->ask->expansion, r->c,
				 a, r->e);
}

static int add_terms(struct ranking *r, struct arena *a)
{
	const struct query *q = r->q;
	struct rank_term *t = arena_alloc(a, (q->nterms + 1) * sizeof(*t)),
			 *all;

	for (size_t i = 0; i < q->nterms; i++) {
		t[i].p = arena_copy(a, q->terms[i].p, q->terms[i].len);
		t[i].len = q->terms[i].len;
		if (add_term(r, &t[i], weight_of(r, &q->terms[i]), bit_of(i)) <
		    0)
			return -1;
	}
	if (expand(r, t, a) < 0)
		return -1;
	r->out->nterms = q->nterms + r->more.n;
	r->out->terms = all = arena_alloc(a, (r->out->nterms + 1) * sizeof(*t));
	memcpy(all, t, q->nterms * sizeof(*t));
	for (size_t i = 0; i < r->more.n; i++) {
		const struct expansion_term *x = &r->more.terms[i];
		const struct query_term *of = &q->terms[x->term];

		t = &all[q->nterms + i];
		*t = (struct rank_term){
			.p = x->p,
			.len = x->len,
			.of = arena_copy(a, of->word, of->word_len),
			.instead = x->instead};
		if (add_term(r, t, x->weight * weight_of(r, of),
			     bit_of(q->nterms + i)) < 0)
			return -1;
	}
	return 0;
}

/* Set STATE (or `suspect`) of the documents that hold T. */
static int mark(struct ranking *r, const struct query_term *t, bool suspect)
{
	const struct corpus *c = r->c;
	const struct posting *p;
	size_t n;

	for (int field = RANK_TEXT; field <= RANK_META; field++) {
		if (suspect && field == RANK_META)
			break;
		if (c->postings(c->ctx, (enum rank_field)field, t->p, t->len,
				&p, &n, r->e) < 0)
			return -1;
		for (size_t i = 0; i < n; i++) {
			if (suspect)
				r->suspect[p[i].doc] = true;
			else
				r->state[p[i].doc] = UNFIT;
		}
	}
	return 0;
}

/* Rule out what holds a word that must not be there; remember what may hold
 * such a phrase. */
static int rule_out(struct ranking *r)
{
	for (size_t i = 0; i < r->q->nnots; i++) {
		const struct query_phrase *not = &r->q->nots[i];

		if (not ->n > 1 && !r->suspect)
			r->suspect = mem_alloc(r->c->n);
		if (mark(r, &not ->terms[0], not ->n > 1) < 0)
			return -1;
	}
	return 0;
}

/* True if DOC was created when the question says; what an article was is not
 * known here. */
static bool is_timely(const struct ranking *r, uint32_t doc)
{
	const struct corpus *c = r->c;

	if (!r->q->ntimes || (c->family && c->family[doc] & FAMILIES_ARTICLE))
		return false;
	for (size_t i = 0; i < r->q->ntimes; i++) {
		const struct date *when = &r->q->times[i].when;

		if (c->place[doc] >= when->first.sec &&
		    c->place[doc] <= when->last.sec)
			return true;
	}
	return false;
}

/* The signals of DOC, and their sum; below 0 where it is no candidate.  That
 * it is of a family which is about the question makes it none by itself. */
static float signals_of(const struct ranking *r, uint32_t doc,
			float signals[RANK_NSIGNALS])
{
	const struct scores *s = &r->s;
	float cosine = r->ask->cosine ? r->ask->cosine[doc] : 0, sum;

	memset(signals, 0, RANK_NSIGNALS * sizeof(*signals));
	signals[RANK_COSINE] = cosine > 0 ? r->cosine_weight * cosine : 0;
	if (!r->ask->cosine_alone) {
		signals[RANK_WORDS] = scores_words(s, doc);
		signals[RANK_PLACES] = r->placed[doc];
		signals[RANK_NEIGHBOURS] = scores_near(s, doc);
		signals[RANK_METADATA] =
			(float)WEIGHT_METADATA * scores_named(s, doc);
		signals[RANK_TIME] = is_timely(r, doc) ? (float)WEIGHT_TIME : 0;
	}
	sum = signals[RANK_WORDS] + signals[RANK_PLACES] +
	      signals[RANK_NEIGHBOURS] + signals[RANK_METADATA] +
	      signals[RANK_TIME] + signals[RANK_COSINE];
	if (!(sum > 0))
		return r->all ? 0 : -1;
	if (!r->ask->cosine_alone)
		signals[RANK_PARENT] =
			(float)WEIGHT_PARENT * scores_parent(s, doc);
	return sum + signals[RANK_PARENT];
}

/* True if DOC has no signal, as far as its words tell: what most have. */
static bool has_nothing(const struct ranking *r, uint32_t doc)
{
	return !r->ask->cosine && !r->q->ntimes && !r->s.near &&
	       !(r->s.words[doc] > 0) && !r->s.named[doc];
}

/* The terms of phrases that are looked for, as bits. */
static uint64_t phrase_bits(const struct query *q)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < q->nphrases; i++) {
		for (size_t k = 0; k < q->phrases[i].n; k++) {
			const struct query_term *t = &q->phrases[i].terms[k];

			for (size_t j = 0; j < q->nterms && j < SCORES_BITS;
			     j++) {
				if (q->terms[j].len == t->len &&
				    !memcmp(q->terms[j].p, t->p, t->len))
					bits |= UINT64_C(1) << j;
			}
		}
	}
	return bits;
}

/* Look DOC up, unless that failed before. */
static bool look_up(struct ranking *r, uint32_t doc, struct rank_doc *d)
{
	r->failed = r->failed || r->c->doc(r->c->ctx, doc, d, r->e) < 0;
	return !r->failed;
}

/* True if DOC is what the question asks for, its words aside. */
static bool fits(struct ranking *r, uint32_t doc)
{
	const struct query *q = r->q;
	bool suspect = r->suspect && r->suspect[doc];
	struct rank_doc d;

	if (r->state[doc] != UNKNOWN)
		return r->state[doc] == FITS;
	r->state[doc] = UNFIT;
	if (!query_narrows(q) && !r->phrases && !suspect) {
		r->state[doc] = FITS;
		return true;
	}
	if (!look_up(r, doc, &d))
		return false;
	if (!query_admits(q, d.tags, d.ntags, d.source, d.created) ||
	    (r->phrases && !query_holds(&r->terms, q->phrases, q->nphrases,
					true, d.text, d.text_len)) ||
	    (suspect && query_holds(&r->terms, q->nots, q->nnots, false, d.text,
				    d.text_len)))
		return false;
	r->state[doc] = FITS;
	return true;
}

/* A candidate; its date is asked for where scores are equal. */
struct entry {
	uint32_t doc;
	float score;
	bool dated;
	struct instant created;
	int64_t id;
};

struct heap {
	struct entry *items; /* the worst first */
	size_t n, max;
};

static void date(const struct ranking *r, struct entry *x)
{
	if (!x->dated)
		r->c->date(r->c->ctx, x->doc, &x->created, &x->id);
	x->dated = true;
}

static int compare(void *ctx, void *one, void *two)
{
	const struct ranking *r = ctx;
	struct entry *a = one, *b = two;
	int order;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	date(r, a);
	date(r, b);
	order = instant_cmp(b->created, a->created);
	if (order)
		return order;
	if (a->id != b->id)
		return a->id > b->id ? -1 : 1;
	return a->doc > b->doc ? -1 : 1;
}

/* Take X among the best, if it is. */
static void offer(struct ranking *r, struct heap *h, struct entry x)
{
	const struct top top = {sizeof(x), compare, r};
	const bool full = h->n == h->max;

	if ((full && compare(r, &x, &h->items[0]) >= 0) || !fits(r, x.doc))
		return;
	h->items[full ? 0 : h->n++] = x;
	if (full)
		top_replaced(&top, h->items, h->n);
	else
		top_added(&top, h->items, h->n);
}

/* Fill H with the best of SCORE, best first, of at least LEAST. */
static int select_best(struct ranking *r, const float *score, float least,
		       struct heap *h)
{
	const struct top top = {sizeof(*h->items), compare, r};

	h->n = 0;
	for (uint32_t i = 0; i < r->c->n && h->max && !r->failed; i++) {
		if (score[i] < least || (r->s.holds[i] & r->need) != r->need)
			continue;
		if (h->n == h->max && score[i] < h->items[0].score)
			continue;
		offer(r, h, (struct entry){.doc = i, .score = score[i]});
	}
	top_sort(&top, h->items, h->n);
	return r->failed ? -1 : 0;
}

/* Score by ranks: 1 / (60 + rank) in the order of the words and their signals
 * and in that of the cosines, added. */
static int fuse_ranks(struct ranking *r, const float *words)
{
	const float *orders[] = {words, r->ask->cosine};
	struct heap h = {.max = WEIGHT_RRF_DEPTH};
	int result = 0;

	h.items = mem_alloc(h.max * sizeof(*h.items));
	for (uint32_t i = 0; i < r->c->n; i++)
		r->score[i] = -1;
	for (size_t k = 0; k < ARRAY_LEN(orders) && !result; k++) {
		result = select_best(r, orders[k], FLT_MIN, &h);
		for (size_t i = 0; i < h.n && !result; i++) {
			float *score = &r->score[h.items[i].doc];

			*score = (*score > 0 ? *score : 0) +
				 1 / (float)(WEIGHT_RRF + i + 1);
		}
	}
	free(h.items);
	return result;
}

/* Add to SCORE, of the best by it, what they gain by their places. */
static int add_places(struct ranking *r, float *score)
{
	struct heap h = {.max = WEIGHT_PLACED};
	struct places *places;
	float *rarity;
	int result;

	if (!(r->s.top > 0) || r->q->nterms < 1)
		return 0;
	rarity = mem_alloc(r->q->nterms * sizeof(*rarity));
	for (size_t i = 0; i < r->q->nterms; i++)
		rarity[i] = scores_rarity(r->c->n,
					  (double)r->out->terms[i].documents);
	h.items = mem_alloc(h.max * sizeof(*h.items));
	result = select_best(r, score, FLT_MIN, &h);
	places = places_new(r->q, rarity);
	for (size_t i = 0; i < h.n && !result; i++) {
		const uint32_t doc = h.items[i].doc;
		struct rank_doc d;

		if (!look_up(r, doc, &d)) {
			result = -1;
			break;
		}
		r->placed[doc] = places_gain(places, d.text, d.text_len,
					     r->c->length[doc]) /
				 r->s.top;
		score[doc] += r->placed[doc];
	}
	places_free(places);
	free(h.items);
	free(rarity);
	return result;
}

/* True if the order is that of the sum of all signals. */
static bool is_sum(const struct rank_ask *ask)
{
	return !ask->cosine_alone && !(ask->cosine && ask->fusion == RANK_RRF);
}

/* Fill `score` from the signals, or from the ranks that they make. */
static int score_all(struct ranking *r)
{
	bool ranks = !is_sum(r->ask) && !r->ask->cosine_alone;
	float signals[RANK_NSIGNALS];
	float *words = ranks ? mem_alloc(r->c->n * sizeof(*words)) : r->score;
	int result = 0;

	for (uint32_t i = 0; i < r->c->n; i++) {
		if (has_nothing(r, i)) {
			words[i] = r->all ? 0 : -1;
			continue;
		}
		r->placed[i] = 0;
		words[i] = signals_of(r, i, signals);
		if (!ranks)
			continue;
		words[i] = signals[RANK_WORDS] + signals[RANK_NEIGHBOURS] +
			   signals[RANK_METADATA] + signals[RANK_TIME];
		if (words[i] > 0)
			words[i] += signals[RANK_PARENT];
	}
	if (!r->ask->cosine_alone)
		result = add_places(r, words);
	if (ranks && !result)
		result = fuse_ranks(r, words);
	if (ranks)
		free(words);
	return result;
}

/* How many words of the question are among HOLDS: as a whole, or all their
 * parts. */
static size_t count_words(const struct query *q, uint64_t holds)
{
	size_t n = q->nterms < SCORES_BITS ? q->nterms : SCORES_BITS, words = 0;

	for (size_t i = 0, next; i < n; i = next) {
		bool whole = false, parts = true;

		for (next = i; next < n && q->terms[next].of == q->terms[i].of;
		     next++) {
			bool held = holds >> next & 1;

			whole |= held && q->terms[next].whole;
			parts &= held || q->terms[next].whole;
		}
		words += whole || parts;
	}
	return words;
}

/* How rare T is, where few documents tell little about that. */
static float rarity_of(const struct ranking *r, const struct rank_term *t)
{
	const double n = r->c->n;

	return scores_rarity(n > WEIGHT_DOCUMENTS ? n : WEIGHT_DOCUMENTS,
			     (double)t->documents);
}

/* The share of the word whose terms are those of the question from I to NEXT
 * that HOLDS has; *VALUE is how rare the whole word is. */
static float share_of(const struct ranking *r, size_t i, size_t next,
		      uint64_t holds, float *value)
{
	float held = 0, most = 0, whole = 0;

	*value = 0;
	for (size_t k = i; k < next; k++) {
		const bool is = holds & bit_of(k);
		const float rarity = rarity_of(r, &r->out->terms[k]);

		if (r->q->terms[k].whole) {
			most = is ? 1 : most;
			whole = rarity;
			continue;
		}
		*value += rarity;
		held += is ? rarity : 0;
	}
	for (size_t k = 0; k < r->more.n; k++) {
		const struct expansion_term *x = &r->more.terms[k];

		if (x->term >= i && x->term < next && x->weight > most &&
		    holds & bit_of(r->q->nterms + k))
			most = x->weight;
	}
	held = *value > 0 ? held / *value : 0;
	if (!(*value > 0))
		*value = whole; /* all its parts are stop words */
	return held > most ? held : most;
}

/* How much T tells of what the question is about, 0 to 1: a name does, a number
 * of two digits does not. */
static float uncommon(const struct ranking *r, const struct query_term *t)
{
	if ((t->word_len < 3 && ascii_is_digit(t->word[0])) ||
	    words_is_talk(t->p, t->len))
		return 0;
	return rare_in_english(r, t);
}

/* What is known of the words of the question, as far as their terms are told
 * apart. */
struct word {
	size_t first, next; /* its terms */
	float tells;
};

static size_t list_words(const struct ranking *r, struct word *words)
{
	const size_t n =
		r->q->nterms < SCORES_BITS ? r->q->nterms : SCORES_BITS;
	const struct query_term *t = r->q->terms;
	size_t count = 0;

	for (size_t i = 0, next; i < n; i = next) {
		float tells = 0, one;

		for (next = i; next < n && t[next].of == t[i].of; next++) {
			one = r->ask->telling ? uncommon(r, &t[next]) : 0;
			tells = one > tells ? one : tells;
		}
		words[count++] = (struct word){i, next, tells};
	}
	return count;
}

/* Set `coverage` and `telling` of HIT, by the N words of the question. */
static void weigh(const struct ranking *r, const struct word *words, size_t n,
		  struct rank_hit *hit)
{
	const uint64_t holds = r->s.holds[hit->doc];
	const bool timely = is_timely(r, hit->doc);
	const struct rank_term once = {.documents = 1};
	const float rarest = rarity_of(r, &once);
	float held = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		const struct query_term *t = &r->q->terms[words[i].first];
		float value, share = share_of(r, words[i].first, words[i].next,
					      holds, &value);

		value *= counts(t);
		share = t->when && timely ? 1 : share;
		held += share * value;
		all += value;
		hit->telling += share * words[i].tells *
				(value < rarest ? value / rarest : 1);
	}
	hit->coverage = all > 0 ? held / all : 0;
	hit->telling += timely && r->ask->telling ? WEIGHT_TELLING : 0;
}

/* What scores are multiplied with: the best document holds so much of what one
 * would have that is of the usual length and holds all words once. */
static float scale(const struct ranking *r)
{
	float value = 0, share;

	for (size_t i = 0; i < r->q->nterms; i++)
		value += r->q->terms[i].whole ? 0 : r->out->terms[i].weight;
	if (!(r->s.top > 0) || !(value > 0) || !is_sum(r->ask))
		return 1;
	share = r->s.top / scores_usual(&r->s, value);
	return share < 1 ? share : 1;
}

/* Count what the question asks for, shown or not. */
static int count(struct ranking *r)
{
	const bool scattered = r->q->nphrases && !r->phrases;
	struct rank_result *out = r->out;

	out->nwhole = out->npartial = 0;
	for (uint32_t i = 0; i < r->c->n; i++) {
		const uint64_t holds = r->s.holds[i];
		int is;

		if (r->score[i] < 0 || (holds & r->need) != r->need)
			continue;
		is = fits(r, i);
		if (is < 0)
			return -1;
		if (is && !scattered && count_words(r->q, holds) == out->words)
			out->nwhole++;
		else if (is && holds)
			out->npartial++;
	}
	return 0;
}

static int fill(struct ranking *r, struct arena *a)
{
	struct rank_result *out = r->out;
	struct heap h = {.max = r->ask->max < r->c->n ? r->ask->max : r->c->n};
	const float by = scale(r);
	struct word words[SCORES_BITS];
	const size_t nwords = list_words(r, words);
	int result;

	r->need = r->phrases ? phrase_bits(r->q) : 0;
	if (score_all(r) < 0)
		return -1;
	h.items = mem_alloc(h.max * sizeof(*h.items));
	result = select_best(r, r->score, 0, &h);
	out->n = h.n;
	out->hits = arena_alloc(a, (h.n + 1) * sizeof(*out->hits));
	for (size_t i = 0; i < h.n; i++) {
		struct rank_hit *hit = &out->hits[i];

		*hit = (struct rank_hit){.doc = h.items[i].doc};
		hit->score = h.items[i].score * by;
		hit->cosine = r->ask->cosine ? r->ask->cosine[hit->doc] : 0;
		signals_of(r, hit->doc, hit->signals);
		for (size_t k = 0; k < RANK_NSIGNALS; k++)
			hit->signals[k] *= by;
		weigh(r, words, nwords, hit);
		hit->words = (uint32_t)count_words(r->q, r->s.holds[hit->doc]);
		hit->partial = hit->words < out->words ||
			       (r->q->nphrases && !r->phrases);
	}
	free(h.items);
	return result < 0 ? -1 : count(r);
}

int rank(const struct corpus *c, const struct rank_ask *ask, struct arena *a,
	 struct rank_result *out, struct err *e)
{
	struct ranking r = {
		.c = c, .ask = ask, .q = ask->query, .out = out, .e = e};
	int result = -1;

	*out = (struct rank_result){0};
	out->words = count_words(r.q, UINT64_MAX);
	init(&r);
	if (add_terms(&r, a) < 0 || rule_out(&r) < 0)
		goto out;
	scores_finish(&r.s, is_sum(ask) ? ask->cosine : NULL, r.cosine_weight);
	result = fill(&r, a);
	if (!result && !out->n && r.phrases) {
		/* None holds the phrases: their words, then, and partial. */
		r.phrases = false;
		memset(r.state, UNKNOWN, c->n);
		result = rule_out(&r) < 0 ? -1 : fill(&r, a);
	}
out:
	release(&r);
	return result;
}
