/* scores.c: BM25 into dense arrays.
 *
 * A posting costs one division and two writes, without search or allocation.
 * Families, if there are any, cost one more addition; neighbours are computed
 * once, after all terms. BM25's factor (1 + k1) is left out, since it cancels
 * in shares of the best score.
 */
#include "rank/scores.h"

#include "base/mem.h"
#include "rank/traits.h"
#include "rank/weights.h"

#include <math.h>

/* Return the position of VALUE between LOW (0) and HIGH (1), clamped. */
static double share_between(double value, double low, double high)
{
	const double share = (value - low) / (high - low);

	return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* Return 0 if the mean length is that of short memories, 1 if of articles. */
static double lengthiness(double mean)
{
	return share_between(mean, WEIGHT_MEAN_SHORT, WEIGHT_MEAN_LONG);
}

float scores_rarity(double n, double with)
{
	return (float)log(1 + (n - with + 0.5) / (with + 0.5));
}

static double interpolate(double low, double high, double share)
{
	return low + (high - low) * share;
}

/* Return b for documents of no known kind with the MEAN length. */
static double length_weight(double mean)
{
	return interpolate(WEIGHT_LENGTH_SHORT, WEIGHT_LENGTH_LONG,
			   lengthiness(mean));
}

/* Set NORM and SLOPE for the weight B of lengths: a length L adds NORM + SLOPE *
 * L to a count. MEAN is the mean length. */
static void set_lengths(double mean, double b, float *norm, float *slope)
{
	const double k1 =
		interpolate(WEIGHT_SATURATION_SHORT, WEIGHT_SATURATION_LONG,
			    lengthiness(mean));

	*norm = (float)(k1 * (1 - b));
	*slope = mean > 0 ? (float)(k1 * b / mean) : 0;
}

/* Return the valid family of DOC, or 0. */
static uint32_t family_of(const struct scores *s, uint32_t doc)
{
	uint32_t f = s->c->family[doc] & ~FAMILIES_ARTICLE;

	if (f > s->kin.nfamilies || s->kin.start[f] == s->kin.start[f + 1])
		return 0;
	return f;
}

static void init_families(struct scores *s)
{
	const struct corpus *c = s->c;
	size_t n = (size_t)c->nfamilies + 1;
	uint64_t total = 0;

	if (!c->family || !c->nfamilies)
		return;
	families_init(&s->kin, c->family, c->place, c->n, c->nfamilies);
	for (uint32_t f = 1; f <= c->nfamilies; f++)
		s->nfamilies += s->kin.start[f] < s->kin.start[f + 1];
	if (!s->nfamilies)
		return;
	s->family_length = mem_alloc(n * sizeof(*s->family_length));
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t f = family_of(s, i);

		s->family_length[f] += (float)c->length[i];
		total += f ? c->length[i] : 0;
	}
	s->family_mean = (double)total / (double)s->nfamilies;
	s->family_words = mem_alloc(n * sizeof(*s->family_words));
	s->family_count = mem_alloc(n * sizeof(*s->family_count));
	s->touched = mem_alloc(n * sizeof(*s->touched));
	s->near = mem_alloc(c->n * sizeof(*s->near));
	s->reply = mem_alloc(c->n * sizeof(*s->reply));
	s->answered = mem_alloc(c->n * sizeof(*s->answered));
}

bool scores_is_turn(const struct scores *s, uint32_t doc)
{
	return s->near && family_of(s, doc) &&
	       !(s->c->family[doc] & FAMILIES_ARTICLE);
}

/* Return b for the kinds of the documents, and set `meant`. */
static double measure_kinds(struct scores *s)
{
	const double other = length_weight(s->mean), n = s->c->n;
	double sum = 0, code = 0, commits = 0;

	if (!s->c->n)
		return other;
	for (uint32_t i = 0; i < s->c->n; i++) {
		const unsigned traits = s->c->traits ? s->c->traits[i] : 0;

		code += (traits & TRAIT_CODE) != 0;
		commits += (traits & TRAIT_COMMIT) != 0;
		sum += scores_is_turn(s, i)    ? WEIGHT_LENGTH_TURN
		       : traits & TRAIT_CODE   ? WEIGHT_LENGTH_CODE
		       : traits & TRAIT_TITLED ? WEIGHT_LENGTH_TITLED
					       : other;
	}
	s->meant = (float)((1 - code / n) *
			   (1 - share_between(commits / n, WEIGHT_COMMITS_FEW,
					      WEIGHT_COMMITS_MANY)));
	return sum / n;
}

void scores_init(struct scores *s, const struct corpus *c)
{
	uint64_t total = 0;
	double mean;

	*s = (struct scores){.c = c};
	for (uint32_t i = 0; i < c->n; i++)
		total += c->length[i];
	mean = c->n ? (double)total / c->n : 0;
	s->mean = mean;
	s->lengthy = lengthiness(mean);
	s->words = mem_alloc(c->n * sizeof(*s->words));
	s->holds = mem_alloc(c->n * sizeof(*s->holds));
	s->named = mem_alloc(c->n * sizeof(*s->named));
	init_families(s);
	set_lengths(mean, measure_kinds(s), &s->norm, &s->slope);
}

void scores_release(struct scores *s)
{
	free(s->words);
	free(s->near);
	free(s->reply);
	free(s->answered);
	free(s->holds);
	free(s->named);
	free(s->family_words);
	free(s->family_count);
	free(s->family_length);
	free(s->touched);
	families_release(&s->kin);
}

/* Return how often the text of P has the term. */
static float count_of(const struct posting *p)
{
	return p->n ? (float)p->n : WEIGHT_IN_URL;
}

/* Count the N postings of a term for the families. */
static void add_to_families(struct scores *s, const struct posting *p, size_t n,
			    float weight)
{
	size_t families = 0;
	float norm, slope, factor;

	for (size_t i = 0; i < n; i++) {
		uint32_t f = family_of(s, p[i].doc);

		if (f && !(s->family_count[f] > 0))
			s->touched[families++] = f;
		s->family_count[f] += count_of(&p[i]);
	}
	set_lengths(s->family_mean, length_weight(s->family_mean), &norm,
		    &slope);
	factor = weight * scores_rarity((double)s->nfamilies, (double)families);
	for (size_t i = 0; i < families; i++) {
		uint32_t f = s->touched[i];
		float count = s->family_count[f];

		s->family_words[f] +=
			factor * count /
			(count + norm + slope * s->family_length[f]);
		s->family_count[f] = 0;
	}
}

static int add_names(struct scores *s, const char *term, size_t len,
		     uint64_t bit, struct err *e)
{
	const struct posting *p;
	size_t n;

	if (s->c->postings(s->c->ctx, RANK_META, term, len, &p, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		uint32_t share = s->named[p[i].doc] + p[i].n;

		s->named[p[i].doc] = (uint8_t)(share < 255 ? share : 255);
		s->holds[p[i].doc] |= bit;
	}
	return 0;
}

int scores_add(struct scores *s, const char *term, size_t len, float weight,
	       uint64_t bit, bool names, size_t *documents, float *worth,
	       struct err *e)
{
	const uint32_t *length = s->c->length;
	const struct posting *p;
	float factor;
	size_t n;

	if (s->c->postings(s->c->ctx, RANK_TEXT, term, len, &p, &n, e) < 0)
		return -1;
	*documents = n;
	*worth = weight * scores_rarity(s->c->n, (double)n);
	factor = *worth;
	for (size_t i = 0; i < n; i++) {
		uint32_t doc = p[i].doc;
		float count = count_of(&p[i]);

		s->words[doc] +=
			factor * count /
			(count + s->norm + s->slope * (float)length[doc]);
		s->holds[doc] |= bit;
	}
	if (s->nfamilies)
		add_to_families(s, p, n, weight);
	return names ? add_names(s, term, len, bit, e) : 0;
}

/* Add to each member M of a family the shares of its neighbours. */
static void add_neighbours(struct scores *s, const struct families_member *m,
			   uint32_t n, const float *meaning, float weight)
{
	for (uint32_t i = 0; i < n; i++) {
		float share = scores_words(s, m[i].doc);

		if (meaning && meaning[m[i].doc] > 0)
			share += weight * meaning[m[i].doc];
		if (!(share > 0))
			continue;
		if (i > 0)
			s->near[m[i - 1].doc] +=
				(float)WEIGHT_NEIGHBOUR * share;
		if (i + 1 < n)
			s->near[m[i + 1].doc] +=
				(float)WEIGHT_NEIGHBOUR * share;
		if (i > 1)
			s->near[m[i - 2].doc] += (float)WEIGHT_SECOND * share;
		if (i + 2 < n)
			s->near[m[i + 2].doc] += (float)WEIGHT_SECOND * share;
	}
}

/* Find questions and answers among the N turns M of a conversation. */
static void link_turns(struct scores *s, const struct families_member *m,
		       uint32_t n)
{
	for (uint32_t i = 0; i + 1 < n; i++) {
		const uint32_t asked = m[i].doc, next = m[i + 1].doc;
		const unsigned traits = s->c->traits[asked];

		if (traits & TRAIT_ASKS)
			s->reply[next] =
				(float)WEIGHT_REPLY * scores_words(s, asked);
		s->answered[asked] = traits & TRAIT_ASKS &&
				     !(traits & TRAIT_INFORMS) &&
				     s->c->traits[next] & TRAIT_INFORMS;
	}
}

void scores_finish(struct scores *s, const float *meaning, float weight)
{
	for (uint32_t i = 0; i < s->c->n; i++)
		s->top = s->words[i] > s->top ? s->words[i] : s->top;
	if (s->near)
		memset(s->near, 0, s->c->n * sizeof(*s->near));
	for (uint32_t f = 1; f <= s->kin.nfamilies && s->near; f++) {
		uint32_t from = s->kin.start[f], to = s->kin.start[f + 1];

		if (!meaning && !(s->family_words[f] > 0))
			continue; /* no term of the question in this family */
		if (s->family_words[f] > s->family_top)
			s->family_top = s->family_words[f];
		add_neighbours(s, s->kin.members + from, to - from, meaning,
			       weight);
		if (s->c->traits && from < to &&
		    scores_is_turn(s, s->kin.members[from].doc))
			link_turns(s, s->kin.members + from, to - from);
	}
}

float scores_usual(const struct scores *s, float value)
{
	return value / (1 + s->norm + s->slope * (float)s->mean);
}

float scores_words(const struct scores *s, uint32_t doc)
{
	return s->top > 0 ? s->words[doc] / s->top : 0;
}

float scores_near(const struct scores *s, uint32_t doc)
{
	return s->near ? s->near[doc] : 0;
}

float scores_reply(const struct scores *s, uint32_t doc)
{
	return s->reply ? s->reply[doc] : 0;
}

bool scores_is_answered(const struct scores *s, uint32_t doc)
{
	return s->answered && s->answered[doc];
}

float scores_parent(const struct scores *s, uint32_t doc)
{
	uint32_t f;

	if (!(s->family_top > 0))
		return 0;
	f = family_of(s, doc);
	return f ? s->family_words[f] / s->family_top : scores_words(s, doc);
}

float scores_named(const struct scores *s, uint32_t doc)
{
	return (float)s->named[doc] / 255;
}
