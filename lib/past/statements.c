/* statements.c: see statements.h. */
#include "past/statements.h"

#include "base/mem.h"
#include "harvest/conversation.h"
#include "past/candidates.h"
#include "rank/alike.h"

#include <stdlib.h>

#define NAME "git" /* of the conversation in the request */

size_t statements_compose(struct buf *out, const struct candidates *c)
{
	size_t n = 0;

	for (; n < c->n; n++) {
		const struct candidate *one = &c->items[n];
		const size_t before = out->len;

		buf_addf(out, "[%s, %s]\n", candidates_kind_name(one->kind),
			 one->cite);
		buf_add(out, one->text, one->len);
		buf_adds(out, "\n\n");
		if (out->len > CONVERSATION_PART) {
			buf_cut(out, before);
			break;
		}
	}
	return n;
}

/* Return the one of the N candidates WAS, whose words are in WORDS, that shares the
 * most words with the statement TEXT; NULL if none shares one. */
static const struct candidate *find_support(const struct candidate *was,
					    const struct alike *words, size_t n,
					    const struct alike *text)
{
	const struct candidate *best = NULL;
	int most = 0;

	for (size_t i = 0; i < n; i++) {
		const int alike = alike_compare(&words[i], text);

		if (alike > most) {
			most = alike;
			best = &was[i];
		}
	}
	return best;
}

/* Replace the candidates of C by the items of REPLY, to the best of which the first N
 * candidates are the sources. */
static void replace_all(struct candidates *c, const struct reply *reply,
			size_t n)
{
	const struct candidate *was = c->items;
	struct alike *words = mem_alloc((n + 1) * sizeof(*words));
	struct alike text = {0};
	struct terms terms = {0};
	struct candidate *old = c->items;

	memset(words, 0, (n + 1) * sizeof(*words));
	for (size_t i = 0; i < n; i++)
		alike_read(&words[i], &terms, was[i].text, was[i].len);
	c->items = NULL;
	c->n = c->cap = 0;
	for (size_t i = 0; i < reply->n; i++) {
		const struct reply_item *it = &reply->items[i];
		const struct candidate *from;
		struct candidate one;

		if (it->key != REPLY_FACTS && it->key != REPLY_DECISIONS &&
		    it->key != REPLY_PLAYBOOKS)
			continue;
		alike_read(&text, &terms, it->text, it->len);
		from = find_support(was, words, n, &text);
		if (!from)
			continue;
		one = *from;
		one.text = it->text;
		one.len = it->len;
		candidates_add(c, &one);
	}
	for (size_t i = 0; i < n; i++)
		alike_release(&words[i]);
	alike_release(&text);
	terms_release(&terms);
	free(words);
	free(old);
}

int statements_ask(struct harvest *h, struct candidates *c, struct err *e)
{
	struct buf text = {0};
	struct harvest_question q = {.name = NAME, .label = NAME};
	struct reply reply;
	size_t n;
	int r;

	if (harvest_check_inside(e) < 0)
		return -1;
	n = statements_compose(&text, c);
	if (!n) {
		buf_release(&text);
		return 0;
	}
	q.p = text.p;
	q.len = text.len;
	r = harvest_ask(h, &q, &c->arena, &reply, e);
	if (!r) {
		replace_all(c, &reply, n);
		candidates_sort(c);
	}
	buf_release(&text);
	return r;
}
