/* snippet.c: one pass finds the words, another the best window that begins with
 * a word of the query. A word is recorded as the query's term, so ten
 * repetitions count as one.
 */
#include "rank/rank.h"

#include "base/mem.h"
#include "base/utf8.h"

#define SNIPPET_WORDS 32
#define DISTINCT 64   /* terms of the query with a bit of their own */
#define PIECE_MAX 240 /* bytes shown between two words */

struct spot {
	size_t start, end;
	uint64_t terms; /* the terms of the query here, as bits */
};

struct spots {
	const struct query *q;
	struct spot *items;
	size_t n, cap;
};

static uint64_t term_bits(const struct query *q, const struct term *t)
{
	uint64_t found = 0;

	for (size_t i = 0; i < q->nterms; i++) {
		if (q->terms[i].len == t->len &&
		    !memcmp(q->terms[i].p, t->p, t->len))
			found |= (uint64_t)1 << (i % DISTINCT);
	}
	return found;
}

static int add_spot(void *ctx, const struct term *t)
{
	struct spots *s = ctx;
	struct spot *last = s->n ? &s->items[s->n - 1] : NULL;

	/* The parts of a joined word, and overlapping pairs of characters, are
	 * one spot. */
	if (!last || (!t->colocated && t->start >= last->end)) {
		last = MEM_ADD(s->items, s->n, s->cap);
		*last = (struct spot){t->start, t->end, 0};
	}
	if (t->end > last->end)
		last->end = t->end;
	last->terms |= term_bits(s->q, t);
	return 0;
}

/* Return the first spot of the best window. Set *LAST to the last spot in it
 * that matches. */
static size_t best_window(const struct spots *s, size_t *last)
{
	size_t best = 0;
	int most = 0;

	*last = 0;
	for (size_t i = 0; i < s->n; i++) {
		uint64_t terms = 0;
		size_t end = i;

		if (!s->items[i].terms)
			continue;
		for (size_t k = i; k < s->n && k < i + SNIPPET_WORDS; k++) {
			terms |= s->items[k].terms;
			end = s->items[k].terms ? k : end;
		}
		if (__builtin_popcountll(terms) > most) {
			most = __builtin_popcountll(terms);
			best = i;
			*last = end;
		}
	}
	return best;
}

/* Append P as one line. Of a piece longer than PIECE_MAX, which is not prose,
 * append only the beginning. */
static void add_flat(struct buf *out, const char *p, size_t len)
{
	const size_t most = utf8_cut(p, len, PIECE_MAX);

	for (size_t i = 0; i < most; i++) {
		const bool blank = strchr(" \t\n\v\f\r", p[i]) && p[i];

		if (!blank)
			buf_addc(out, p[i]);
		else if (out->len && out->p[out->len - 1] != ' ')
			buf_addc(out, ' ');
	}
	buf_adds(out, most < len ? "..." : "");
}

/* Fill S with the words of P; its query is set. */
static void find_spots(struct spots *s, const char *p, size_t len)
{
	bool wanted[256] = {false};
	struct terms terms = {.first = wanted, .as_is = true};

	for (size_t i = 0; i < s->q->nterms; i++)
		wanted[(unsigned char)*s->q->terms[i].p] = true;
	stem_widen(wanted);
	terms_each(&terms, p, len, add_spot, s);
	terms_release(&terms);
}

void rank_snippet_spans(struct spans *out, const char *p, size_t len,
			const struct query *q)
{
	struct spots s = {.q = q};

	find_spots(&s, p, len);
	for (size_t i = 0; i < s.n; i++) {
		if (s.items[i].terms)
			color_span_add(out, s.items[i].start, s.items[i].end,
				       COLOR_MATCH);
	}
	free(s.items);
}

struct snippet rank_snippet(const char *p, size_t len, const struct query *q,
			    struct arena *a)
{
	struct spots s = {.q = q};
	struct buf out = {0}, matches = {0};
	struct snippet made;
	size_t first, last, end, at;

	find_spots(&s, p, len);
	first = best_window(&s, &last);
	/* Center the matches. */
	at = (SNIPPET_WORDS - 1 - (last - first)) / 2;
	if (first + SNIPPET_WORDS - at > s.n)
		at = s.n > SNIPPET_WORDS ? first + SNIPPET_WORDS - s.n : first;
	first -= at < first ? at : first;
	end = first + SNIPPET_WORDS < s.n ? first + SNIPPET_WORDS : s.n;
	at = first ? s.items[first].start : 0;
	buf_adds(&out, first ? "..." : "");
	buf_addc(&matches, '[');
	for (size_t i = first; i < end; i++) {
		const struct spot *w = &s.items[i];

		if (!w->terms)
			continue;
		add_flat(&out, p + at, w->start - at);
		buf_addf(&matches, "%s[%zu,", matches.len > 1 ? "," : "",
			 out.len);
		add_flat(&out, p + w->start, w->end - w->start);
		buf_addf(&matches, "%zu]", out.len);
		at = w->end;
	}
	add_flat(&out, p + at, (end < s.n ? s.items[end - 1].end : len) - at);
	buf_adds(&out, end < s.n ? "..." : "");
	buf_addc(&matches, ']');
	made.text = arena_copy(a, buf_str(&out), out.len);
	made.matches = arena_copy(a, buf_str(&matches), matches.len);
	free(s.items);
	buf_release(&out);
	buf_release(&matches);
	return made;
}
