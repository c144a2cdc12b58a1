/* rank.c: add up the signals of each document, and select the best with a heap.
 *
 * Whatever needs a callback (dates, tags, phrases, ties) is requested only for
 * documents that would enter the results.
 *
 * Known limit: words after the first 64 terms of a question count in the score,
 * but not in whether a document is partial.
 */
#include "rank/rank.h"

#include "base/arena.h"
#include "base/ascii.h"
#include "base/top.h"
#include "rank/places.h"
#include "rank/scores.h"
#include "rank/traits.h"
#include "rank/weights.h"

#include <float.h>
#include <math.h>
#include <time.h>

#define YEARS_MAX 64 /* in which a date without a year is searched */
#define FORM_MAX 48  /* bytes of a form of a word, with NUL */

const char *const rank_signal_names[RANK_NSIGNALS] = {
	"words", "places", "neighbours", "parent", "metadata", "time",
	"dated", "names",  "speaker",	 "reply",  "asks",     "cosine"};

enum { UNKNOWN, FITS, UNFIT };

struct ranking {
	const struct corpus *c;
	const struct rank_ask *ask;
	const struct query *q;
	struct rank_result *out;
	struct err *e;
	struct scores s;
	struct expansion more;	   /* additional terms */
	float *placed;		   /* the gain of each by places */
	float *score;		   /* of each document; below 0: no candidate */
	uint8_t *state;		   /* FITS or UNFIT, once known */
	bool *suspect;		   /* may have an excluded phrase */
	struct time_phrase *times; /* of the question */
	size_t ntimes;
	const float *cosine; /* of each document; NULL: none, or not yet */
	float cosine_weight;
	bool phrases;  /* phrases are required */
	uint64_t need; /* so these terms are required */
	bool all;      /* no words: every document that passes the filters */
	struct terms terms;
	bool failed; /* with E set */
};

static void init_ranking(struct ranking *r)
{
	const struct corpus *c = r->c;

	scores_init(&r->s, c);
	r->placed = mem_alloc(c->n * sizeof(*r->placed));
	r->score = mem_alloc(c->n * sizeof(*r->score));
	r->state = mem_alloc(c->n * sizeof(*r->state));
	r->phrases = r->q->nphrases > 0;
	r->cosine = r->ask->cosine;
	r->all = !r->q->nterms && !r->cosine && !r->ask->find_cosines &&
		 (query_narrows(r->q) || r->q->nnots);
	r->cosine_weight = (float)(WEIGHT_COSINE_SHORT +
				   (WEIGHT_COSINE_LONG - WEIGHT_COSINE_SHORT) *
					   r->s.lengthy) *
			   (1 - r->ask->doubt) * r->s.meant;
}

static void release_ranking(struct ranking *r)
{
	scores_release(&r->s);
	free(r->placed);
	free(r->score);
	free(r->state);
	free(r->suspect);
	terms_release(&r->terms);
}

/* Add the scores of T, a term of the question or of its expansion. Documents
 * that have it get BIT. */
static int add_term(struct ranking *r, struct rank_term *t, float weight,
		    uint64_t bit)
{
	return scores_add(&r->s, t->p, t->len, weight, bit, !t->of,
			  &t->documents, &t->weight, r->e);
}

/* Return the factor of a term that the question has TIMES times, at least 1. */
static float repetition_factor(size_t times)
{
	return (float)((WEIGHT_REPEATED + 1) * (double)times /
		       (WEIGHT_REPEATED + (double)times));
}

/* Return the factor of T's weight: lower in a time phrase. */
static float time_word_factor(const struct query_term *t)
{
	return t->when ? (float)WEIGHT_TIME_WORDS : 1;
}

/* Return how rare WORD is in English, 0 to 1, by its rank among English words; 1
 * if it is none of them. */
static float rare_in_english(const struct ranking *r, const char *word,
			     size_t len)
{
	const struct expansion_ask *x = r->ask->expansion;
	long place = -1;
	double share;

	/* The list was made from news, which mention weekdays more often than
	 * notes do. */
	if (x && x->place && !words_is_weekday(word, len))
		place = x->place(x->ctx, word, len);
	if (place < 0)
		return 1;
	share = log((double)(place + 1) / WEIGHT_TALK_WORDS) /
		log(WEIGHT_RARE_WORDS / WEIGHT_TALK_WORDS);
	return share < 0 ? 0 : share > 1 ? 1 : (float)share;
}

/* Return the factor of a term's weight by its rarity in English, which counts
 * if there are too few documents to tell how rare it is. */
static float english_factor(const struct ranking *r, const struct query_term *t)
{
	const double few = WEIGHT_DOCUMENTS / (WEIGHT_DOCUMENTS + r->c->n);
	const float most = (float)(WEIGHT_ENGLISH * few);

	/* Do not open the word list for nothing, nor for a single word. */
	if (most < WEIGHT_ENGLISH_LEAST || r->ask->query->nterms < 2)
		return 1;
	return 1 - most * (1 - rare_in_english(r, t->word, t->word_len));
}

static float term_weight(const struct ranking *r, const struct query_term *t)
{
	return repetition_factor(t->times) * time_word_factor(t) *
	       english_factor(r, t);
}

/* Return the bit of term I of the question or of its expansion. */
static uint64_t term_bit(size_t i)
{
	return i < SCORES_BITS ? UINT64_C(1) << i : 0;
}

/* Set *MISSING if no document has T in its text, title, tags or source. */
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

/* Find additional terms. T has the terms of the question, already counted. */
static int expand_terms(struct ranking *r, const struct rank_term *t,
			struct arena *a)
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
		if (add_term(r, &t[i], term_weight(r, &q->terms[i]),
			     term_bit(i)) < 0)
			return -1;
	}
	if (expand_terms(r, t, a) < 0)
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
		if (add_term(r, t, x->weight * term_weight(r, of),
			     term_bit(q->nterms + i)) < 0)
			return -1;
	}
	return 0;
}

/* Set STATE to UNFIT, or `suspect` if SUSPECT, of the documents that have T. */
static int mark_documents(struct ranking *r, const struct query_term *t,
			  bool suspect)
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

/* Exclude documents with an excluded word; record those that may have an
 * excluded phrase. */
static int exclude_documents(struct ranking *r)
{
	for (size_t i = 0; i < r->q->nnots; i++) {
		const struct query_phrase *not = &r->q->nots[i];

		if (not ->n > 1 && !r->suspect)
			r->suspect = mem_alloc(r->c->n);
		if (mark_documents(r, &not ->terms[0], not ->n > 1) < 0)
			return -1;
	}
	return 0;
}

/* Return the year of the second SEC, in UTC. */
static int year_of(int64_t sec)
{
	const time_t t = (time_t)sec;
	struct tm tm;

	return gmtime_r(&t, &tm) ? tm.tm_year + 1900 : 0;
}

static bool is_within(int64_t sec, const struct date *when)
{
	return sec >= when->first.sec && sec <= when->last.sec;
}

/* Return true for a section of an article. Its date is not known here. */
static bool is_section(const struct corpus *c, uint32_t doc)
{
	return c->family && c->family[doc] & FAMILIES_ARTICLE;
}

/* Set `times`. Where no document was created about a date that the question
 * names without a year, the date is that of all years of the documents. */
static void set_times(struct ranking *r, struct arena *a)
{
	const struct query *q = r->q;
	int64_t first = INT64_MAX, last = INT64_MIN;

	r->times = arena_alloc(a, (q->ntimes * (YEARS_MAX + 1) + 1) *
					  sizeof(*r->times));
	for (size_t i = 0; i < q->ntimes; i++) {
		struct time_phrase t = q->times[i];
		bool any = false;

		for (uint32_t k = 0; k < r->c->n && t.month && !any; k++) {
			const int64_t sec = r->c->place[k];

			if (is_section(r->c, k))
				continue;
			any = is_within(sec, &t.around);
			first = sec < first ? sec : first;
			last = sec > last ? sec : last;
		}
		r->times[r->ntimes++] = t;
		for (int y = 0; y < YEARS_MAX && t.month && !any &&
				y <= year_of(last) - year_of(first);
		     y++) {
			if (time_phrase_in_year(&t, year_of(last) - y))
				r->times[r->ntimes++] = t;
		}
	}
}

/* Return the signal of DOC for the times that the question mentions. */
static float time_signal(const struct ranking *r, uint32_t doc)
{
	const struct corpus *c = r->c;
	double signal = 0;

	if (!r->ntimes || is_section(c, doc))
		return 0;
	for (size_t i = 0; i < r->ntimes; i++) {
		const struct time_phrase *t = &r->times[i];

		if (is_within(c->place[doc], &t->when))
			return (float)WEIGHT_TIME;
		if (is_within(c->place[doc], &t->around))
			signal = WEIGHT_TIME_AROUND;
	}
	return (float)signal;
}

/* Return the sum of the SIGNALS by traits. */
static float trait_signals(const float signals[RANK_NSIGNALS])
{
	return signals[RANK_DATED] + signals[RANK_NAMES] +
	       signals[RANK_SPEAKER] + signals[RANK_ASKS];
}

/* Set the signals of DOC by its traits: none of them makes it a candidate. */
static void set_trait_signals(const struct ranking *r, uint32_t doc,
			      float signals[RANK_NSIGNALS])
{
	const unsigned traits = r->c->traits ? r->c->traits[doc] : 0;
	const unsigned wanted = traits & r->q->wanted;

	if (wanted & TRAIT_TIME)
		signals[RANK_DATED] = (float)WEIGHT_DATED;
	if (wanted & TRAIT_NAME)
		signals[RANK_NAMES] = (float)WEIGHT_NAMES;
	if (traits & TRAIT_SELF && scores_is_turn(&r->s, doc))
		signals[RANK_SPEAKER] =
			(float)WEIGHT_SPEAKER * scores_named(&r->s, doc);
	if (scores_is_answered(&r->s, doc))
		signals[RANK_ASKS] = -(float)WEIGHT_ASKS;
}

/* Set the signals of DOC and return their sum, or a negative number if it is no
 * candidate. Only to be in a family about the question is not enough. */
static float get_signals(const struct ranking *r, uint32_t doc,
			 float signals[RANK_NSIGNALS])
{
	const struct scores *s = &r->s;
	float cosine = r->cosine ? r->cosine[doc] : 0, sum;

	memset(signals, 0, RANK_NSIGNALS * sizeof(*signals));
	signals[RANK_COSINE] = cosine > 0 ? r->cosine_weight * cosine : 0;
	if (!r->ask->cosine_alone) {
		signals[RANK_WORDS] = scores_words(s, doc);
		signals[RANK_PLACES] = r->placed[doc];
		signals[RANK_NEIGHBOURS] = scores_near(s, doc);
		signals[RANK_METADATA] =
			(float)WEIGHT_METADATA * scores_named(s, doc);
		signals[RANK_TIME] = time_signal(r, doc);
		signals[RANK_REPLY] = scores_reply(s, doc);
	}
	sum = signals[RANK_WORDS] + signals[RANK_PLACES] +
	      signals[RANK_NEIGHBOURS] + signals[RANK_METADATA] +
	      signals[RANK_TIME] + signals[RANK_REPLY] + signals[RANK_COSINE];
	if (!(sum > 0))
		return r->all ? 0 : -1;
	if (r->ask->cosine_alone)
		return sum;
	signals[RANK_PARENT] = (float)WEIGHT_PARENT * scores_parent(s, doc);
	set_trait_signals(r, doc, signals);
	sum += signals[RANK_PARENT] + trait_signals(signals);
	return sum > 0 ? sum : 0;
}

/* Return true if DOC has no signal by its words: the usual case. */
static bool has_no_signal(const struct ranking *r, uint32_t doc)
{
	return !r->cosine && !r->ntimes && !r->s.near &&
	       !(r->s.words[doc] > 0) && !r->s.named[doc];
}

/* Return the terms of the required phrases, as bits. */
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

/* Load DOC. Return false if this, or an earlier load, failed. */
static bool load_document(struct ranking *r, uint32_t doc, struct rank_doc *d)
{
	r->failed = r->failed || r->c->doc(r->c->ctx, doc, d, r->e) < 0;
	return !r->failed;
}

/* Return true if a document must be loaded to tell whether it passes the filters
 * of the question. */
static bool needs_documents(const struct ranking *r)
{
	return query_narrows(r->q) || r->phrases;
}

/* Return true if DOC passes the filters of the question. */
static bool passes_filters(struct ranking *r, uint32_t doc)
{
	const struct query *q = r->q;
	bool suspect = r->suspect && r->suspect[doc];
	struct rank_doc d;

	if (r->state[doc] != UNKNOWN)
		return r->state[doc] == FITS;
	r->state[doc] = UNFIT;
	if (!needs_documents(r) && !suspect) {
		r->state[doc] = FITS;
		return true;
	}
	if (!load_document(r, doc, &d))
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

/* A candidate. Its date is loaded only to compare equal scores. */
struct entry {
	uint32_t doc;
	float score;
	bool dated;
	struct instant created;
	int64_t id;
};

struct heap {
	struct entry *items; /* a heap, worst first */
	size_t n, max;
};

static void load_date(const struct ranking *r, struct entry *x)
{
	if (!x->dated)
		r->c->date(r->c->ctx, x->doc, &x->created, &x->id);
	x->dated = true;
}

static int compare_entries(void *ctx, void *one, void *two)
{
	const struct ranking *r = ctx;
	struct entry *a = one, *b = two;
	int order;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	load_date(r, a);
	load_date(r, b);
	order = instant_cmp(b->created, a->created);
	if (order)
		return order;
	if (a->id != b->id)
		return a->id > b->id ? -1 : 1;
	return a->doc > b->doc ? -1 : 1;
}

/* Add X to the heap if it is among the best. */
static void add_if_best(struct ranking *r, struct heap *h, struct entry x)
{
	const struct top top = {sizeof(x), compare_entries, r};
	const bool full = h->n == h->max;

	if ((full && compare_entries(r, &x, &h->items[0]) >= 0) ||
	    !passes_filters(r, x.doc))
		return;
	h->items[full ? 0 : h->n++] = x;
	if (full)
		top_replaced(&top, h->items, h->n);
	else
		top_added(&top, h->items, h->n);
}

/* Fill H with the best documents, best first, whose score is at least LEAST. */
static int select_best(struct ranking *r, float least, struct heap *h)
{
	const struct top top = {sizeof(*h->items), compare_entries, r};
	const float *score = r->score;

	h->n = 0;
	for (uint32_t i = 0; i < r->c->n && h->max && !r->failed; i++) {
		if (score[i] < least || (r->s.holds[i] & r->need) != r->need)
			continue;
		if (h->n == h->max && score[i] < h->items[0].score)
			continue;
		add_if_best(r, h, (struct entry){.doc = i, .score = score[i]});
	}
	top_sort(&top, h->items, h->n);
	return r->failed ? -1 : 0;
}

/* Announce the N documents DOCS to the corpus. */
static int expect_documents(struct ranking *r, const uint32_t *docs, size_t n)
{
	return r->c->expect ? r->c->expect(r->c->ctx, docs, n, r->e) : 0;
}

/* Announce the documents that the filters need: all that have a score. */
static int expect_candidates(struct ranking *r)
{
	uint32_t *docs;
	size_t n = 0;
	int result;

	if (!r->c->expect || !needs_documents(r))
		return 0;
	docs = mem_resize(NULL, r->c->n + (size_t)1, sizeof(*docs));
	for (uint32_t i = 0; i < r->c->n; i++) {
		if (r->score[i] >= 0 && (r->s.holds[i] & r->need) == r->need)
			docs[n++] = i;
	}
	result = expect_documents(r, docs, n);
	free(docs);
	return result;
}

/* Add the gains by places to the scores of the best documents. */
static int add_places(struct ranking *r)
{
	struct heap h = {.max = WEIGHT_PLACED};
	uint32_t docs[WEIGHT_PLACED];
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
	result = select_best(r, FLT_MIN, &h);
	for (size_t i = 0; i < h.n; i++)
		docs[i] = h.items[i].doc;
	if (!result)
		result = expect_documents(r, docs, h.n);
	places = places_new(r->q, rarity);
	for (size_t i = 0; i < h.n && !result; i++) {
		const uint32_t doc = h.items[i].doc;
		struct rank_doc d;

		if (!load_document(r, doc, &d)) {
			result = -1;
			break;
		}
		r->placed[doc] = places_gain(places, d.text, d.text_len,
					     r->c->length[doc]) /
				 r->s.top;
		r->score[doc] += r->placed[doc];
	}
	places_free(places);
	free(h.items);
	free(rarity);
	return result;
}

/* Set `score` from the signals. */
static int score_all(struct ranking *r)
{
	float signals[RANK_NSIGNALS];

	for (uint32_t i = 0; i < r->c->n; i++) {
		if (has_no_signal(r, i)) {
			r->score[i] = r->all ? 0 : -1;
			continue;
		}
		r->placed[i] = 0;
		r->score[i] = get_signals(r, i, signals);
	}
	if (expect_candidates(r) < 0)
		return -1;
	return r->ask->cosine_alone ? 0 : add_places(r);
}

/* Return the number of the question's words in HOLDS: as a whole, or all
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

/* Return the rarity of T; a small number of documents counts as more. */
static float term_rarity(const struct ranking *r, const struct rank_term *t)
{
	const double n = r->c->n;

	return scores_rarity(n > WEIGHT_DOCUMENTS ? n : WEIGHT_DOCUMENTS,
			     (double)t->documents);
}

/* Return how rare the word of STEM is in English, 0 to 1: as rare as the most common of
 * its forms. */
static float rare_stem(const struct ranking *r, const char *stem, size_t len)
{
	static const char *const ends[] = {"", "e", "y"};
	float rare = 1;

	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		const bool is_y = *ends[i] == 'y';
		char form[FORM_MAX];
		float one;

		if (len + 2 > sizeof(form) || (is_y && stem[len - 1] != 'i'))
			continue;
		snprintf(form, sizeof(form), "%.*s%s", (int)len - is_y, stem,
			 ends[i]);
		one = rare_in_english(r, form, strlen(form));
		rare = one < rare ? one : rare;
	}
	return rare;
}

/* Return how much T says about the topic of the question, 0 to 1: a name does,
 * a number of two digits does not. */
static float topic_weight(const struct ranking *r, const struct query_term *t)
{
	float word, stem;

	if ((t->word_len < 3 && ascii_is_digit(t->word[0])) ||
	    words_is_talk(t->p, t->len))
		return 0;
	word = rare_in_english(r, t->word, t->word_len);
	stem = rare_stem(r, t->p, t->len);
	return word < stem ? word : stem;
}

/* The terms of a question that have bits. */
struct asked {
	struct asked_word {
		size_t first, next; /* its terms */
	} words[SCORES_BITS];
	size_t n;
	float tells[SCORES_BITS]; /* of each term, if telling is wanted */
};

/* What a document has of a word of the question. */
struct share {
	float value; /* the rarity of the whole word */
	float held;  /* 0 to 1 */
	float told;  /* how much that says about the topic */
};

/* Add to S the other terms of the word W that HOLDS has. */
static void add_expanded(const struct ranking *r, const struct asked *asked,
			 const struct asked_word *w, uint64_t holds,
			 struct share *s)
{
	for (size_t k = 0; k < r->more.n; k++) {
		const struct expansion_term *x = &r->more.terms[k];
		float told;

		if (x->term < w->first || x->term >= w->next ||
		    !(holds & term_bit(r->q->nterms + k)))
			continue;
		told = asked->tells[x->term] * x->weight *
		       (x->instead ? WEIGHT_GUESSED : 1);
		s->held = x->weight > s->held ? x->weight : s->held;
		s->told = told > s->told ? told : s->told;
	}
}

/* Return the share that HOLDS has of the word W. Of a joined word, each part counts for
 * itself unless the whole is there. */
static struct share word_share(const struct ranking *r,
			       const struct asked *asked,
			       const struct asked_word *w, uint64_t holds)
{
	struct share s = {0};
	float whole = 0;
	bool has_whole = false;

	for (size_t k = w->first; k < w->next; k++) {
		const bool is = holds & term_bit(k);
		const float rarity = term_rarity(r, &r->out->terms[k]);

		if (r->q->terms[k].whole) {
			has_whole |= is;
			whole = rarity;
			continue;
		}
		s.value += rarity;
		s.held += is ? rarity : 0;
		s.told += is ? rarity * asked->tells[k] : 0;
	}
	if (s.value > 0) {
		s.held /= s.value;
		s.told /= s.value;
	} else {
		s.value = whole; /* all parts are stop words */
	}
	for (size_t k = w->first; has_whole && k < w->next; k++) {
		s.held = 1;
		s.told = asked->tells[k] > s.told ? asked->tells[k] : s.told;
	}
	add_expanded(r, asked, w, holds, &s);
	return s;
}

static void list_words(const struct ranking *r, struct asked *asked)
{
	const size_t n =
		r->q->nterms < SCORES_BITS ? r->q->nterms : SCORES_BITS;
	const struct query_term *t = r->q->terms;

	asked->n = 0;
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i; next < n && t[next].of == t[i].of; next++)
			asked->tells[next] =
				r->ask->telling ? topic_weight(r, &t[next]) : 0;
		asked->words[asked->n++] = (struct asked_word){i, next};
	}
}

/* Set `coverage` and `telling` of HIT from the words of the question. */
static void set_coverage(const struct ranking *r, const struct asked *asked,
			 struct rank_hit *hit)
{
	const uint64_t holds = r->s.holds[hit->doc];
	const bool timely = time_signal(r, hit->doc) > 0;
	const struct rank_term once = {.documents = 1};
	const float rarest = term_rarity(r, &once);
	float held = 0, all = 0;

	for (size_t i = 0; i < asked->n; i++) {
		const struct asked_word *w = &asked->words[i];
		const struct query_term *t = &r->q->terms[w->first];
		struct share s = word_share(r, asked, w, holds);

		s.value *= time_word_factor(t);
		if (t->when && timely) {
			s.held = 1;
			s.told = asked->tells[w->first];
		}
		held += s.held * s.value;
		all += s.value;
		s.told *= s.value < rarest ? s.value / rarest : 1;
		hit->telling += s.told < WEIGHT_PROMPT_WORD
					? s.told
					: WEIGHT_PROMPT_WORD;
	}
	hit->coverage = all > 0 ? held / all : 0;
	hit->telling += timely && r->ask->telling ? WEIGHT_TELLING : 0;
}

/* Return the factor of all scores: the best document's BM25 as a share of that
 * of a document of the usual length with all words once, at most 1. */
static float score_scale(const struct ranking *r)
{
	float value = 0, share;

	for (size_t i = 0; i < r->q->nterms; i++)
		value += r->q->terms[i].whole ? 0 : r->out->terms[i].weight;
	if (!(r->s.top > 0) || !(value > 0) || r->ask->cosine_alone)
		return 1;
	share = r->s.top / scores_usual(&r->s, value);
	return share < 1 ? share : 1;
}

/* Count the documents that match, whether returned or not. */
static int count_documents(struct ranking *r)
{
	const bool scattered = r->q->nphrases && !r->phrases;
	struct rank_result *out = r->out;

	out->nwhole = out->npartial = 0;
	for (uint32_t i = 0; i < r->c->n; i++) {
		const uint64_t holds = r->s.holds[i];
		bool is;

		if (r->score[i] < 0 || (holds & r->need) != r->need)
			continue;
		is = passes_filters(r, i);
		if (is && !scattered && count_words(r->q, holds) == out->words)
			out->nwhole++;
		else if (is && holds)
			out->npartial++;
	}
	return r->failed ? -1 : 0;
}

static int rank_documents(struct ranking *r, struct arena *a)
{
	struct rank_result *out = r->out;
	struct heap h = {.max = r->ask->max < r->c->n ? r->ask->max : r->c->n};
	const float by = score_scale(r);
	struct asked asked;
	int result;

	list_words(r, &asked);
	r->need = r->phrases ? phrase_bits(r->q) : 0;
	if (score_all(r) < 0)
		return -1;
	h.items = mem_alloc(h.max * sizeof(*h.items));
	result = select_best(r, 0, &h);
	out->n = h.n;
	out->hits = arena_alloc(a, (h.n + 1) * sizeof(*out->hits));
	for (size_t i = 0; i < h.n; i++) {
		struct rank_hit *hit = &out->hits[i];

		*hit = (struct rank_hit){.doc = h.items[i].doc};
		hit->score = h.items[i].score * by;
		hit->cosine = r->cosine ? r->cosine[hit->doc] : 0;
		get_signals(r, hit->doc, hit->signals);
		for (size_t k = 0; k < RANK_NSIGNALS; k++)
			hit->signals[k] *= by;
		set_coverage(r, &asked, hit);
		hit->words = (uint32_t)count_words(r->q, r->s.holds[hit->doc]);
		hit->partial = hit->words < out->words ||
			       (r->q->nphrases && !r->phrases);
	}
	free(h.items);
	return result < 0 ? -1 : count_documents(r);
}

/* Ask for cosines, unless the best hit has the whole question, and rank again
 * with them. Their weight is on the scale of the final scores. */
static int rank_by_meaning(struct ranking *r, struct arena *a)
{
	const struct rank_result *out = r->out;

	if (!r->ask->find_cosines ||
	    (out->n && out->hits[0].coverage > WEIGHT_WHOLE))
		return 0;
	r->cosine = r->ask->find_cosines(r->ask->find_ctx);
	if (!r->cosine)
		return 0;
	r->cosine_weight = (float)WEIGHT_COSINE / score_scale(r);
	scores_finish(&r->s, r->cosine, r->cosine_weight);
	return rank_documents(r, a);
}

/* Rank, and again without the phrases if no document has them: their words are
 * searched, and hits are partial. */
static int rank_phrases(struct ranking *r, struct arena *a)
{
	int result = rank_documents(r, a);

	if (result || r->out->n || !r->phrases)
		return result;
	r->phrases = false;
	memset(r->state, UNKNOWN, r->c->n);
	return exclude_documents(r) < 0 ? -1 : rank_documents(r, a);
}

int rank(const struct corpus *c, const struct rank_ask *ask, struct arena *a,
	 struct rank_result *out, struct err *e)
{
	struct ranking r = {
		.c = c, .ask = ask, .q = ask->query, .out = out, .e = e};
	int result = -1;

	*out = (struct rank_result){0};
	out->words = count_words(r.q, UINT64_MAX);
	init_ranking(&r);
	set_times(&r, a);
	if (add_terms(&r, a) < 0 || exclude_documents(&r) < 0)
		goto out;
	scores_finish(&r.s, ask->cosine_alone ? NULL : ask->cosine,
		      r.cosine_weight);
	result = rank_phrases(&r, a);
	if (!result)
		result = rank_by_meaning(&r, a);
out:
	release_ranking(&r);
	return result;
}

/* Remove from OUT the hits of articles that have a better one, and those above MAX. */
static void leave_one_of_each(const struct corpus *c, size_t max,
			      struct rank_result *out)
{
	bool *taken = mem_alloc(c->nfamilies + (size_t)1);
	size_t n = 0;

	for (size_t i = 0; i < out->n && n < max; i++) {
		const uint32_t doc = out->hits[i].doc;

		if (is_section(c, doc)) {
			const uint32_t file =
				c->family[doc] & ~FAMILIES_ARTICLE;

			if (taken[file])
				continue;
			taken[file] = true;
		}
		out->hits[n++] = out->hits[i];
	}
	out->n = n;
	free(taken);
}

int rank_files(const struct corpus *c, const struct rank_ask *ask,
	       struct arena *a, struct rank_result *out, struct err *e)
{
	struct rank_ask wide = *ask;
	bool more = true;

	while (more) {
		if (rank(c, &wide, a, out, e) < 0)
			return -1;
		more = out->n && out->n == wide.max;
		leave_one_of_each(c, ask->max, out);
		more = more && out->n < ask->max;
		wide.max *= 4;
	}
	return 0;
}
