/* query.c: any bytes as a text and as a query.
 *
 * Properties: terms are UTF-8, folded, of limited length, and in the text in
 * their order; a query has no term that its text lacks, and keeps its limits; a
 * text contains its own phrases; any bytes have valid traits, and the wanted
 * ones are times and names.
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

	must(t->len >= 1 && t->len <= TERMS_BYTES_MAX,
	     "the length of a term is limited");
	must(t->word_len >= 1 && t->word_len <= TERMS_BYTES_MAX,
	     "the length of a word is limited");
	must(utf8_check(t->p, t->len) == t->len, "a term is UTF-8");
	must(!memchr(t->p, '\0', t->len), "a term has no NUL");
	must(t->start <= t->end && t->end <= s->len, "a term is in the text");
	must(t->from <= t->start && t->from >= s->from, "terms are in order");
	must(s->n || !t->colocated || t->whole,
	     "the first term has no neighbour before it");
	for (size_t i = 0; i < t->len; i++)
		must(t->p[i] < 'A' || t->p[i] > 'Z', "a term is folded");
	s->from = t->from;
	s->n++;
	return 0;
}

static int count(void *ctx, const char *term, size_t len, uint32_t share)
{
	size_t *n = ctx;

	must(term && len >= 1 && len <= TERMS_BYTES_MAX,
	     "the length of a name is limited");
	must(share >= 1 && share <= METADATA_WHOLE,
	     "the share of a name is limited");
	++*n;
	return 0;
}

static void check(const struct query *q, const char *p, size_t len)
{
	struct terms t = {0};
	size_t word = 0;

	must(q->nterms <= QUERY_TERMS_MAX, "the number of terms is limited");
	must(q->nwords <= q->nterms, "a word has terms");
	for (size_t i = 0; i < q->nterms; i++) {
		must(q->terms[i].of >= word && q->terms[i].of <= word + (i > 0),
		     "words are in order");
		word = q->terms[i].of;
	}
	must(q->nphrases <= QUERY_LIST_MAX && q->nnots <= QUERY_LIST_MAX,
	     "the number of phrases is limited");
	must(query_holds(&t, q->phrases, q->nphrases, true, p, len),
	     "a text contains its phrases");
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
	     "a query wants a time or a name");
	must(traits_of_text(text, size) <= UINT8_MAX, "traits fit in a byte");
	query_admits(&q, &tag, 1, tag, (struct instant){0});
	t.question = false;
	terms_metadata_each(&t, &tag, 1, tag, tag, count, &n);
	must(n <= METADATA_TERMS_MAX, "the number of names is limited");
	terms_release(&t);
	arena_release(&a);
	return 0;
}
