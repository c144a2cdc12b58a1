/* query.c: any bytes as a text and as a question.
 *
 * Holds: terms are UTF-8, folded, of bounded length, and stand in the text in
 * its order; a question asks for no term that its text does not have, stays
 * within its bounds, and a text holds its own phrases; traits of any bytes are
 * found, and those that a question wants are times and names.
 */
#include "../fuzz.h"

#include "base/utf8.h"
#include "rank/query.h"
#include "rank/terms.h"
#include "rank/traits.h"

struct seen {
	size_t len, from, n;
};

static int see(void *ctx, const struct term *t)
{
	struct seen *s = ctx;

	must(t->len >= 1 && t->len <= TERMS_BYTES_MAX, "a term has its size");
	must(t->word_len >= 1 && t->word_len <= TERMS_BYTES_MAX,
	     "and so has its word");
	must(utf8_check(t->p, t->len) == t->len, "a term is UTF-8");
	must(!memchr(t->p, '\0', t->len), "and a string");
	must(t->start <= t->end && t->end <= s->len, "it stands in the text");
	must(t->from <= t->start && t->from >= s->from, "in its order");
	must(s->n || !t->beside || t->whole, "the first is beside nothing");
	for (size_t i = 0; i < t->len; i++)
		must(t->p[i] < 'A' || t->p[i] > 'Z', "it is folded");
	s->from = t->from;
	s->n++;
	return 0;
}

static int count(void *ctx, const char *term, size_t len, uint32_t share)
{
	size_t *n = ctx;

	must(term && len >= 1 && len <= TERMS_BYTES_MAX, "a name has its size");
	must(share >= 1 && share <= METADATA_WHOLE, "and its share");
	++*n;
	return 0;
}

static void check(const struct query *q, const char *p, size_t len)
{
	struct terms t = {0};
	size_t word = 0;

	must(q->nterms <= QUERY_TERMS_MAX, "terms are bounded");
	must(q->nwords <= q->nterms, "a word has terms");
	for (size_t i = 0; i < q->nterms; i++) {
		must(q->terms[i].of >= word && q->terms[i].of <= word + (i > 0),
		     "words come one behind the other");
		word = q->terms[i].of;
	}
	must(q->nphrases <= QUERY_LIST_MAX && q->nnots <= QUERY_LIST_MAX,
	     "phrases are bounded");
	must(query_holds(&t, q->phrases, q->nphrases, true, p, len),
	     "a text holds its phrases");
	query_holds(&t, q->nots, q->nnots, false, p, len);
	query_admits(q, NULL, 0, NULL, (struct instant){0});
	terms_release(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = size ? (const char *)data : "";
	struct terms t = {0};
	struct arena a = {0};
	struct seen seen = {.len = size};
	struct query q;
	const char *tag = arena_copy(&a, text, size);
	size_t n = 0;

	must(!terms_each(&t, text, size, see, &seen), "terms end");
	t.question = true;
	seen = (struct seen){.len = size};
	must(!terms_each(&t, text, size, see, &seen), "terms end");
	query_parse(&q, text, size, &a);
	check(&q, text, size);
	must(!(q.wanted & ~(TRAIT_TIME | TRAIT_NAME)),
	     "a question wants a time or a name");
	must(traits_of_text(text, size) <= UINT8_MAX, "traits fit a byte");
	query_admits(&q, &tag, 1, tag, (struct instant){0});
	t.question = false;
	terms_metadata_each(&t, &tag, 1, tag, tag, count, &n);
	must(n <= METADATA_TERMS_MAX, "names are bounded");
	terms_release(&t);
	arena_release(&a);
	return 0;
}
