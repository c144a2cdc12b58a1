/* expansion.c: each missing word is compared with each term of the vocabulary.
 * A bit set of their letters rules out most terms first.
 *
 * Words are compared as written and as stemmed, by characters, not bytes. A
 * word with a digit is a name or number, which is never taken as misspelled.
 */
#include "rank/expansion.h"

#include "base/utf8.h"
#include "rank/weights.h"

#define LETTERS_LEAST 4 /* of an ASCII word that may be part of another */
#define FOREIGN_LEAST 3 /* of a word of other scripts */
#define EDITS_LEAST 4	/* letters of a word that may have one misspelling */
#define EDITS_TWO 8	/* letters of one that may have two */

/* A word as characters. */
struct letters {
	uint32_t c[TERMS_BYTES_MAX];
	size_t n;
	uint64_t set; /* the characters, as bits */
	bool digits, foreign;
};

struct candidate {
	const char *p;
	size_t len;
	float weight;
	size_t apart; /* difference in length, in letters */
};

struct missing {
	size_t term; /* index in the question */
	struct letters word, stem;
	bool misspelled; /* may be misspelled */
	struct candidate best[EXPANSION_EACH];
	size_t n;
};

struct vocabulary_search {
	const struct query *q;
	struct missing *all;
	size_t n;
	struct arena *a;
};

static void add_expansion(struct expansion *x, struct arena *a,
			  struct expansion_term t)
{
	struct expansion_term *more;

	if (x->n == x->cap) {
		x->cap = x->cap ? x->cap * 2 : 8;
		more = arena_alloc(a, x->cap * sizeof(*more));
		if (x->n)
			memcpy(more, x->terms, x->n * sizeof(*more));
		x->terms = more;
	}
	x->terms[x->n++] = t;
}

static bool is_in_question(const struct query *q, const char *p, size_t len)
{
	for (size_t i = 0; i < q->nterms; i++) {
		if (q->terms[i].len == len && !memcmp(q->terms[i].p, p, len))
			return true;
	}
	return false;
}

/* The terms of one side of a pair. */
struct side {
	struct arena *a;
	struct {
		const char *p;
		size_t len;
	} terms[8];
	size_t n;
};

static int add_side(void *ctx, const struct term *t)
{
	struct side *s = ctx;

	if (t->colocated || words_is_stop(t->word, t->word_len))
		return 0;
	if (s->n == ARRAY_LEN(s->terms))
		return 1;
	s->terms[s->n].p = arena_copy(s->a, t->p, t->len);
	s->terms[s->n++].len = t->len;
	return 0;
}

/* Return the index in Q of the last term of S if Q has all of them, else -1. */
static int holds_side(const struct query *q, const struct side *s)
{
	int at = -1;

	for (size_t i = 0; i < s->n; i++) {
		at = -1;
		for (size_t k = 0; k < q->nterms && at < 0; k++) {
			if (q->terms[k].len == s->terms[i].len &&
			    !memcmp(q->terms[k].p, s->terms[i].p,
				    s->terms[i].len))
				at = (int)k;
		}
		if (at < 0)
			return -1;
	}
	return at;
}

/* If Q has FROM, add TO. */
static void add_form(struct expansion *x, const struct query *q,
		     const struct side *from, const struct side *to,
		     struct arena *a)
{
	const int at = holds_side(q, from);

	for (size_t i = 0; i < to->n && at >= 0; i++) {
		if (is_in_question(q, to->terms[i].p, to->terms[i].len))
			continue;
		add_expansion(x, a,
			      (struct expansion_term){
				      .p = to->terms[i].p,
				      .len = to->terms[i].len,
				      .weight = (float)(WEIGHT_SYNONYM /
							(double)to->n),
				      .term = (size_t)at});
	}
}

/* Return true if a word of Q begins with the same two bytes as P: a cheap test
 * before the full one. */
static bool may_begin_word(const struct query *q, const char *p)
{
	for (size_t i = 0; i < q->nterms; i++) {
		if (q->terms[i].word_len > 1 && q->terms[i].word[0] == p[0] &&
		    q->terms[i].word[1] == p[1])
			return true;
	}
	return false;
}

static void add_pairs(struct expansion *x, const struct query *q,
		      const char *const *pairs, bool fast, struct arena *a)
{
	struct terms t = {.question = true};

	for (; pairs && *pairs; pairs++) {
		const char *full = strchr(*pairs, '=');
		struct side one = {.a = a}, two = {.a = a};

		if (!full || full == *pairs ||
		    (fast && !may_begin_word(q, *pairs) &&
		     !may_begin_word(q, full + 1)))
			continue;
		terms_each(&t, *pairs, (size_t)(full - *pairs), add_side, &one);
		terms_each(&t, full + 1, strlen(full + 1), add_side, &two);
		if (!one.n || !two.n)
			continue;
		add_form(x, q, &one, &two, a);
		add_form(x, q, &two, &one, a);
	}
	terms_release(&t);
}

void expansion_forms(struct expansion *x, const struct query *q,
		     const struct expansion_ask *ask, struct arena *a)
{
	add_pairs(x, q, abbreviations, true, a);
	add_pairs(x, q, ask->synonyms, false, a);
}

static void read_letters(struct letters *l, const char *p, size_t len)
{
	size_t size;

	*l = (struct letters){0};
	for (size_t i = 0; i < len && l->n < ARRAY_LEN(l->c); i += size) {
		const uint32_t c = utf8_decode(p + i, len - i, &size);

		l->c[l->n++] = c;
		l->set |= UINT64_C(1) << (c & 63);
		l->digits |= c >= '0' && c <= '9';
		l->foreign |= c > 0x7f;
	}
}

static size_t min_letters(const struct letters *l)
{
	return l->foreign ? FOREIGN_LEAST : LETTERS_LEAST;
}

static bool equal_letters(const uint32_t *a, const uint32_t *b, size_t n)
{
	return !memcmp(a, b, n * sizeof(*a));
}

/* Return true if WHOLE contains PART. */
static bool contains(const struct letters *whole, const struct letters *part)
{
	if (part->n < min_letters(part) || part->n > whole->n ||
	    part->set & ~whole->set)
		return false;
	for (size_t i = 0; i + part->n <= whole->n; i++) {
		if (equal_letters(whole->c + i, part->c, part->n))
			return true;
	}
	return false;
}

/* Return true if WHOLE begins or ends with PART. */
static bool has_end(const struct letters *whole, const struct letters *part)
{
	if (part->n < min_letters(part) || part->n > whole->n ||
	    part->set & ~whole->set)
		return false;
	return equal_letters(whole->c, part->c, part->n) ||
	       equal_letters(whole->c + whole->n - part->n, part->c, part->n);
}

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Return true if A becomes B by at most MOST edits: a letter added, removed,
 * changed, or swapped with the next one. */
static bool is_near(const struct letters *a, const struct letters *b,
		    size_t most)
{
	size_t rows[3][TERMS_BYTES_MAX + 1];
	size_t *before = rows[0], *last = rows[1], *now = rows[2];

	if (a->n > b->n + most || b->n > a->n + most ||
	    __builtin_popcountll(a->set ^ b->set) > (int)most * 2)
		return false;
	for (size_t k = 0; k <= b->n; k++)
		last[k] = k;
	for (size_t i = 1; i <= a->n; i++) {
		size_t best = now[0] = i, *spare = before;

		for (size_t k = 1; k <= b->n; k++) {
			now[k] = last[k - 1] + (a->c[i - 1] != b->c[k - 1]);
			now[k] = min_size(now[k], last[k] + 1);
			now[k] = min_size(now[k], now[k - 1] + 1);
			if (i > 1 && k > 1 && a->c[i - 1] == b->c[k - 2] &&
			    a->c[i - 2] == b->c[k - 1])
				now[k] = min_size(now[k], before[k - 2] + 1);
			best = min_size(best, now[k]);
		}
		if (best > most)
			return false;
		before = last;
		last = now;
		now = spare;
	}
	return last[b->n] <= most;
}

/* Return the weight of the term T as a substitute for M, 0 if it is none. */
static float substitute_weight(const struct missing *m, const struct letters *t)
{
	const size_t edits = m->word.n >= EDITS_TWO ? 2 : 1;

	if (m->misspelled && !t->digits && t->n >= EDITS_LEAST &&
	    (is_near(&m->stem, t, edits) || is_near(&m->word, t, edits)))
		return (float)WEIGHT_MISSPELLED;
	if (contains(t, &m->stem) || has_end(&m->word, t))
		return (float)WEIGHT_PART;
	return 0;
}

static bool is_better(const struct candidate *a, const struct candidate *b)
{
	if (a->weight != b->weight)
		return a->weight > b->weight;
	if (a->apart != b->apart)
		return a->apart < b->apart;
	return strcmp(a->p, b->p) < 0;
}

/* Keep C among the best substitutes of M, each once. */
static void keep_best(struct missing *m, struct candidate c, struct arena *a)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		if (m->best[i].len == c.len &&
		    !memcmp(m->best[i].p, c.p, c.len))
			return;
	}
	if (m->n == EXPANSION_EACH && !is_better(&c, &m->best[m->n - 1]))
		return;
	c.p = arena_copy(a, c.p, c.len);
	m->n += m->n < EXPANSION_EACH;
	for (i = m->n - 1; i && is_better(&c, &m->best[i - 1]); i--)
		m->best[i] = m->best[i - 1];
	m->best[i] = c;
}

static void compare_term(void *ctx, const char *term, size_t len)
{
	struct vocabulary_search *s = ctx;
	struct letters t;

	if (len > TERMS_BYTES_MAX)
		return;
	read_letters(&t, term, len);
	if (t.n < FOREIGN_LEAST)
		return;
	for (size_t i = 0; i < s->n; i++) {
		struct missing *m = &s->all[i];
		const float weight = substitute_weight(m, &t);
		struct buf p = {0};

		if (weight <= 0 || words_is_stop(term, len) ||
		    is_in_question(s->q, term, len))
			continue;
		buf_add(&p, term, len);
		keep_best(m,
			  (struct candidate){p.p, len, weight,
					     t.n > m->stem.n ? t.n - m->stem.n
							     : m->stem.n - t.n},
			  s->a);
		buf_release(&p);
	}
}

int expansion_instead(struct expansion *x, const struct query *q,
		      const bool *missing, const struct expansion_ask *ask,
		      const struct corpus *c, struct arena *a, struct err *e)
{
	struct missing *all = NULL;
	struct vocabulary_search s = {.q = q, .a = a};
	size_t n = 0;

	for (size_t i = 0; i < q->nterms && n < EXPANSION_WORDS; i++) {
		const struct query_term *t = &q->terms[i];
		struct missing *m;

		if (!missing[i] || t->whole)
			continue;
		if (!all)
			all = arena_alloc(a, EXPANSION_WORDS * sizeof(*all));
		m = &all[n];
		*m = (struct missing){.term = i};
		read_letters(&m->word, t->word, t->word_len);
		read_letters(&m->stem, t->p, t->len);
		if (m->word.n < min_letters(&m->word))
			continue;
		m->misspelled = !m->word.digits && m->word.n >= EDITS_LEAST &&
				(!ask->place || ask->place(ask->ctx, t->word,
							   t->word_len) < 0);
		n++;
	}
	s.all = all;
	s.n = n;
	if (!n || !c->vocabulary)
		return 0;
	if (c->vocabulary(c->ctx, compare_term, &s, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < all[i].n; k++)
			add_expansion(x, a,
				      (struct expansion_term){
					      .p = all[i].best[k].p,
					      .len = all[i].best[k].len,
					      .weight = all[i].best[k].weight,
					      .term = all[i].term,
					      .instead = true});
	}
	return 0;
}
