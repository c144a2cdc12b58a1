/* query.c: parse a query.
 *
 * The text is split at blanks and quotes. A word that begins like an operator
 * and is complete is one; all else goes through terms_each(), as documents do.
 *
 * Words are collected without stop words; if none is left, a second time with
 * them. A phrase is found in one pass over the terms of a text: bit i says that
 * its first i + 1 terms end at the current place.
 *
 * Known limit: the parts of a joined word have places of their own, so the
 * phrase "email lists" does not find e-mail lists; its words do.
 */
#include "rank/query.h"

#include "base/ascii.h"
#include "base/date.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "rank/traits.h"

/* So many words around a phrase make it part of a sentence, in languages whose
 * stop words are not known. */
#define SENTENCE_WORDS 3

struct query_parser {
	struct query *q;
	struct arena *a;
	const char *text;
	size_t len;
	struct terms t;
	size_t cap_terms, cap_phrases, cap_nots, cap_tags, cap_sources;
	size_t cap_not_tags, cap_not_sources;
	bool again;	/* second pass: words only, with stop words */
	bool stops;	/* stop words count */
	bool quoted;	/* inside a phrase */
	bool sentence;	/* stop words occur outside phrases */
	size_t outside; /* other words outside phrases */
	size_t start;	/* offset of the part being read */
	size_t word;	/* where the last term's word starts, plus 1 */
};

/* Make room in A for one more item, like mem_grow(). */
static void *grow_in_arena(struct arena *a, void *items, size_t n, size_t *cap,
			   size_t size)
{
	void *more;

	if (n < *cap)
		return items;
	*cap = *cap ? *cap * 2 : 8;
	more = arena_alloc(a, *cap * size);
	if (n)
		memcpy(more, items, n * size);
	return more;
}

static struct query_term copy_term(struct arena *a, const struct term *t)
{
	return (struct query_term){.p = arena_copy(a, t->p, t->len),
				   .len = t->len,
				   .word = arena_copy(a, t->word, t->word_len),
				   .word_len = t->word_len,
				   .times = 1,
				   .whole = t->whole};
}

static bool is_term(const struct query_term *q, const struct term *t)
{
	return q->len == t->len && !memcmp(q->p, t->p, t->len);
}

/* Return true if T is part of a time phrase. */
static bool is_time_word(const struct query_parser *ps, const struct term *t)
{
	const size_t start = ps->start + t->start, end = ps->start + t->end;

	for (size_t i = 0; i < ps->q->ntimes; i++) {
		if (start >= ps->q->times[i].start &&
		    end <= ps->q->times[i].end)
			return true;
	}
	return false;
}

/* Add T to the terms, unless it is there or a stop word. */
static int add_term(void *ctx, const struct term *t)
{
	struct query_parser *ps = ctx;
	struct query *q = ps->q;
	size_t word = ps->start + t->from + 1;

	if (words_is_stop(t->word, t->word_len)) {
		ps->sentence |= !ps->quoted && t->word_len > 1;
		if (!ps->stops)
			return 0;
	}
	for (size_t i = 0; i < q->nterms; i++) {
		if (is_term(&q->terms[i], t)) {
			q->terms[i].times++;
			return 0;
		}
	}
	if (q->nterms == QUERY_TERMS_MAX)
		return 1;
	q->terms = grow_in_arena(ps->a, q->terms, q->nterms, &ps->cap_terms,
				 sizeof(*q->terms));
	q->terms[q->nterms] = copy_term(ps->a, t);
	q->terms[q->nterms].when = is_time_word(ps, t);
	q->nwords += word != ps->word;
	ps->outside += word != ps->word && !ps->quoted;
	q->terms[q->nterms++].of = q->nwords - 1;
	ps->word = word;
	return 0;
}

static void add_words(struct query_parser *ps, size_t start, size_t end)
{
	ps->start = start;
	terms_each(&ps->t, ps->text + start, end - start, add_term, ps);
}

struct phrase_builder {
	struct arena *a;
	struct query_phrase phrase;
	size_t cap;
	bool stops; /* all words are stop words */
};

static int add_to_phrase(void *ctx, const struct term *t)
{
	struct phrase_builder *ph = ctx;
	struct query_phrase *p = &ph->phrase;

	if (t->colocated)
		return 0;
	if (p->n == QUERY_PHRASE_MAX)
		return 1;
	p->terms = grow_in_arena(ph->a, p->terms, p->n, &ph->cap,
				 sizeof(*p->terms));
	p->terms[p->n++] = copy_term(ph->a, t);
	ph->stops &= words_is_stop(t->word, t->word_len);
	return 0;
}

/* Add the text from START to END to LIST as a phrase. Return false if it is
 * empty or LIST is full. */
static bool add_phrase(struct query_parser *ps, struct query_phrase **list,
		       size_t *n, size_t *cap, size_t start, size_t end)
{
	struct phrase_builder ph = {.a = ps->a, .stops = true};

	terms_each(&ps->t, ps->text + start, end - start, add_to_phrase, &ph);
	if (!ph.phrase.n || *n == QUERY_LIST_MAX)
		return false;
	*list = grow_in_arena(ps->a, *list, *n, cap, sizeof(**list));
	(*list)[(*n)++] = ph.phrase;
	if (list != &ps->q->phrases)
		return true;
	ps->quoted = true;
	ps->stops = ps->again || ph.stops;
	add_words(ps, start, end);
	ps->stops = ps->again;
	ps->quoted = false;
	return true;
}

static bool add_folded(struct query_parser *ps, const char ***list, size_t *n,
		       size_t *cap, size_t start, size_t end)
{
	struct buf folded = {0};

	if (*n == QUERY_LIST_MAX) {
		ps->q->fault =
			arena_printf(ps->a, "more than %d filters of a kind",
				     QUERY_LIST_MAX);
		return false;
	}
	unicode_fold(&folded, ps->text + start, end - start, true);
	*list = grow_in_arena(ps->a, *list, *n, cap, sizeof(**list));
	(*list)[(*n)++] = arena_copy(ps->a, buf_str(&folded), folded.len);
	buf_release(&folded);
	return true;
}

/* Set a bound. The last one of a kind counts. */
static bool set_bound(struct query_parser *ps, bool until, size_t start,
		      size_t end)
{
	const char *text = ps->text + start;
	struct date date;

	if (!date_parse(text, end - start, &date)) {
		ps->q->fault = arena_printf(
			ps->a, "bad date '%.*s' after %s: " DATE_FORMS,
			(int)(end - start), text, until ? "until" : "since");
		return false;
	}
	if (until) {
		ps->q->has_until = true;
		ps->q->until = date.last;
	} else {
		ps->q->has_since = true;
		ps->q->since = date.first;
	}
	return true;
}

static bool ends_chunk(char c)
{
	return ascii_is_space(c) || !c;
}

static size_t chunk_end(const struct query_parser *ps, size_t i)
{
	while (i < ps->len && !ends_chunk(ps->text[i]))
		i++;
	return i;
}

/* Set *START and *END to the value at I, which ends at the closing quote or a
 * blank. Return the offset after it. */
static size_t read_value(const struct query_parser *ps, size_t i, size_t *start,
			 size_t *end)
{
	const char *close = NULL;

	if (i < ps->len && ps->text[i] == '"')
		close = memchr(ps->text + i + 1, '"', ps->len - i - 1);
	*start = close ? i + 1 : i;
	*end = close ? (size_t)(close - ps->text) : chunk_end(ps, i);
	return *end + (close != NULL);
}

enum operator{
	OP_NOT_TAG,
	OP_NOT_SOURCE,
	OP_NOT_SINCE,
	OP_NOT_UNTIL,
	OP_NOT,
	OP_TAG,
	OP_SOURCE,
	OP_SINCE,
	OP_UNTIL,
	OP_N
};

/* Longer ones come first. */
static const char *const operators[OP_N] = {
	"not:tag:", "not:source:", "not:since:", "not:until:", "not:",
	"tag:",	    "source:",	   "since:",	 "until:"};

static bool apply_operator(struct query_parser *ps, enum operator op,
			   size_t start, size_t end)
{
	struct query *q = ps->q;
	const bool tag = op == OP_TAG || op == OP_NOT_TAG;

	if (start == end && (tag || op == OP_SOURCE || op == OP_NOT_SOURCE)) {
		q->fault = arena_printf(
			ps->a, "nothing after %s expected a %s, as %s%s",
			operators[op], tag ? "tag" : "source", operators[op],
			tag ? "python" : "user-told");
		return false;
	}
	switch (op) {
	case OP_NOT:
		return add_phrase(ps, &q->nots, &q->nnots, &ps->cap_nots, start,
				  end);
	case OP_TAG:
		return add_folded(ps, &q->tags, &q->ntags, &ps->cap_tags, start,
				  end);
	case OP_SOURCE:
		return add_folded(ps, &q->sources, &q->nsources,
				  &ps->cap_sources, start, end);
	case OP_NOT_TAG:
		return add_folded(ps, &q->not_tags, &q->nnot_tags,
				  &ps->cap_not_tags, start, end);
	case OP_NOT_SOURCE:
		return add_folded(ps, &q->not_sources, &q->nnot_sources,
				  &ps->cap_not_sources, start, end);
	case OP_SINCE:
	case OP_UNTIL:
		return set_bound(ps, op == OP_UNTIL, start, end);
	default:
		q->fault = arena_printf(
			ps->a, "'%s' is not a filter: write %s instead",
			operators[op],
			op == OP_NOT_SINCE ? "until:" : "since:");
		return false;
	}
}

/* Read the operator at I. Return the offset after it, or I if there is none. */
static size_t read_operator(struct query_parser *ps, size_t i)
{
	for (enum operator op = 0; op < OP_N; op++) {
		const size_t len = strlen(operators[op]);
		size_t start, end, next, ago;

		if (ps->len - i < len ||
		    memcmp(ps->text + i, operators[op], len))
			continue;
		next = read_value(ps, i + len, &start, &end);
		ago = op >= OP_SINCE
			      ? date_ago(ps->text + start, ps->len - start)
			      : 0;
		if (next == end && start + ago > end)
			next = end = start + ago;
		/* Without a valid value, treat it as words. */
		if ((start == end && (op == OP_NOT || ps->again)) ||
		    (!ps->again && !apply_operator(ps, op, start, end)))
			return i;
		return next;
	}
	return i;
}

/* Read the item at I, which is not blank. Return the offset after it. */
static size_t read_item(struct query_parser *ps, size_t i)
{
	struct query *q = ps->q;
	size_t start, end, next = read_operator(ps, i);

	if (next > i)
		return next;
	next = read_value(ps, i, &start, &end);
	if (start == i || ps->again ||
	    !add_phrase(ps, &q->phrases, &q->nphrases, &ps->cap_phrases, start,
			end))
		add_words(ps, start, end);
	return next;
}

static void read_items(struct query_parser *ps)
{
	size_t i = 0;

	while (i < ps->len) {
		if (ends_chunk(ps->text[i]))
			i++;
		else
			i = read_item(ps, i);
	}
}

void query_parse(struct query *q, const char *p, size_t len, struct arena *a)
{
	struct query_parser ps = {.q = q, .a = a, .text = p};

	*q = (struct query){0};
	ps.len = utf8_cut(p, len, QUERY_BYTES_MAX);
	ps.t.question = true;
	q->wanted = traits_wanted(p, ps.len);
	q->ntimes = time_phrases_find(q->times, p, ps.len);
	read_items(&ps);
	if (q->has_since || q->has_until)
		q->ntimes = 0; /* an explicit bound replaces them */
	if (ps.sentence || ps.outside >= SENTENCE_WORDS ||
	    traits_is_question(p, ps.len))
		q->nphrases = 0;
	if (!q->nterms) {
		ps.again = ps.stops = true;
		read_items(&ps);
	}
	terms_release(&ps.t);
}

bool query_narrows(const struct query *q)
{
	return q->ntags || q->nsources || q->nnot_tags || q->nnot_sources ||
	       q->has_since || q->has_until;
}

/* Return true if the folded TEXT equals FOLDED. */
static bool folds_to(const char *text, const char *folded)
{
	struct buf b = {0};
	size_t i = 0;
	bool same;

	while (folded[i] && ascii_lower(text[i]) == folded[i] &&
	       !(text[i] & 0x80))
		i++;
	if (!((text[i] | folded[i]) & 0x80))
		return text[i] == folded[i];
	unicode_fold(&b, text, strlen(text), true);
	same = !strcmp(buf_str(&b), folded);
	buf_release(&b);
	return same;
}

/* Return true if the folded TEXT equals one of the N folded words LIST. */
static bool is_among(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text && folds_to(text, list[i]))
			return true;
	}
	return false;
}

bool query_admits(const struct query *q, const char *const *tags, size_t ntags,
		  const char *source, struct instant at)
{
	bool found = !q->nsources || is_among(source, q->sources, q->nsources);

	if ((q->has_since && instant_cmp(at, q->since) < 0) ||
	    (q->has_until && instant_cmp(at, q->until) > 0) ||
	    is_among(source, q->not_sources, q->nnot_sources))
		return false;
	for (size_t i = 0; i < ntags && q->nnot_tags; i++) {
		if (is_among(tags[i], q->not_tags, q->nnot_tags))
			return false;
	}
	for (size_t i = 0; i < q->ntags && found; i++) {
		found = false;
		for (size_t k = 0; k < ntags && !found; k++)
			found = folds_to(tags[k], q->tags[i]);
	}
	return found;
}

struct phrase_search {
	const struct query_phrase *phrases;
	size_t n;
	uint64_t *reached; /* of each phrase: its prefixes that end here */
	uint64_t *here;	   /* of each phrase: its terms that are here */
	bool *found;
	size_t nfound;
	bool all;
};

/* Finish the current place of the text, whose terms are `here`. */
static void close_place(struct phrase_search *h)
{
	for (size_t i = 0; i < h->n; i++) {
		uint64_t last = UINT64_C(1) << (h->phrases[i].n - 1);

		h->reached[i] = (h->reached[i] << 1 | 1) & h->here[i];
		h->here[i] = 0;
		if (!(h->reached[i] & last) || h->found[i])
			continue;
		h->found[i] = true;
		h->nfound++;
	}
}

static bool holds_enough(const struct phrase_search *h)
{
	return h->nfound >= (h->all ? h->n : 1);
}

static int match_term(void *ctx, const struct term *t)
{
	struct phrase_search *h = ctx;

	if (!t->colocated)
		close_place(h);
	for (size_t i = 0; i < h->n; i++) {
		for (size_t k = 0; k < h->phrases[i].n; k++) {
			if (is_term(&h->phrases[i].terms[k], t))
				h->here[i] |= UINT64_C(1) << k;
		}
	}
	return holds_enough(h);
}

bool query_holds(struct terms *t, const struct query_phrase *phrases, size_t n,
		 bool all, const char *p, size_t len)
{
	struct phrase_search h = {.phrases = phrases, .n = n, .all = all};
	bool held;

	if (!n)
		return all;
	h.reached = mem_alloc(n * sizeof(*h.reached));
	h.here = mem_alloc(n * sizeof(*h.here));
	h.found = mem_alloc(n * sizeof(*h.found));
	if (!terms_each(t, p, len, match_term, &h))
		close_place(&h);
	held = holds_enough(&h);
	free(h.reached);
	free(h.here);
	free(h.found);
	return held;
}
