/* places.c: one pass over a text records the first places of each term of the
 * question; then those of adjacent terms are compared. */
#include "rank/places.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "rank/weights.h"

#define TERMS_MAX 64 /* of a question */
#define KEPT_MAX 32  /* places of a term */

struct term_places {
	uint32_t at[KEPT_MAX]; /* from 1, ascending */
	size_t n;
};

struct places {
	const struct query *q;
	const float *rarity;
	size_t nterms;
	bool wanted[256];     /* first bytes of the terms */
	bool pair[TERMS_MAX]; /* of characters, see terms.h */
	struct terms terms;
	uint32_t here; /* the current place in the text */
	struct term_places kept[TERMS_MAX];
};

struct places *places_new(const struct query *q, const float *rarity)
{
	struct places *p = mem_alloc(sizeof(*p));

	p->q = q;
	p->rarity = rarity;
	p->nterms = q->nterms < TERMS_MAX ? q->nterms : TERMS_MAX;
	for (size_t i = 0; i < p->nterms; i++) {
		p->wanted[(unsigned char)*q->terms[i].p] = true;
		p->pair[i] = terms_split(q->terms[i].p, q->terms[i].len) > 0;
	}
	stem_widen(p->wanted);
	p->terms.first = p->wanted;
	p->terms.as_is = true;
	return p;
}

void places_free(struct places *p)
{
	if (p)
		terms_release(&p->terms);
	free(p);
}

static int record_place(void *ctx, const struct term *t)
{
	struct places *p = ctx;

	p->here += !t->colocated;
	if (t->in_url || !p->wanted[(unsigned char)*t->p])
		return 0;
	for (size_t i = 0; i < p->nterms; i++) {
		const struct query_term *q = &p->q->terms[i];
		struct term_places *k = &p->kept[i];

		if (q->len == t->len && k->n < KEPT_MAX &&
		    !memcmp(q->p, t->p, t->len))
			k->at[k->n++] = p->here;
	}
	return 0;
}

/* Return the smallest distance between a place of A and one of B; 0 if they
 * share a place or there is none. */
static uint32_t distance(const struct term_places *a,
			 const struct term_places *b)
{
	uint32_t least = 0;

	for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
		const uint32_t x = a->at[i], y = b->at[k];
		const uint32_t apart = x < y ? y - x : x - y;

		if (!apart)
			return 0;
		if (!least || apart < least)
			least = apart;
		if (x < y)
			i++;
		else
			k++;
	}
	return least;
}

/* Return the gain of term I for being near the term before it. Two pairs of
 * characters have none: they overlap in the question, and each already says
 * that its characters are adjacent. */
static float near_gain(const struct places *p, size_t i)
{
	const float a = p->rarity[i - 1], b = p->rarity[i];
	const uint32_t apart = distance(&p->kept[i - 1], &p->kept[i]);

	if (!apart || apart > WEIGHT_NEAR_PLACES ||
	    (p->pair[i - 1] && p->pair[i]))
		return 0;
	return WEIGHT_NEAR * (a < b ? a : b) *
	       (float)(WEIGHT_NEAR_PLACES + 1 - apart) / WEIGHT_NEAR_PLACES;
}

float places_gain(struct places *p, const char *text, size_t len,
		  uint32_t length)
{
	const bool begins = length > WEIGHT_BEGIN_PLACES;
	float gain = 0;

	p->here = 0;
	for (size_t i = 0; i < p->nterms; i++)
		p->kept[i].n = 0;
	terms_each(&p->terms, text, utf8_cut(text, len, PLACES_BYTES_MAX),
		   record_place, p);
	for (size_t i = 0; i < p->nterms; i++) {
		const struct query_term *q = &p->q->terms[i];

		if (!p->kept[i].n || q->whole)
			continue;
		if (begins && p->kept[i].at[0] <= WEIGHT_BEGIN_PLACES)
			gain += WEIGHT_BEGIN * p->rarity[i] *
				(1 -
				 (float)WEIGHT_BEGIN_PLACES / (float)length);
		if (i && !q[-1].whole)
			gain += near_gain(p, i);
	}
	return gain;
}
