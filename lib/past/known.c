/* known.c: see known.h. */
#include "past/known.h"

#include "base/mem.h"
#include "evidence/cites.h"
#include "rank/alike.h"

#include <stdlib.h>

#define ALIKE_KNOWN 70 /* per cent from which a text is known */

struct look {
	struct candidates *c;
	struct store *store;
	struct alike *words; /* of each candidate */
	bool *known;
	struct alike text; /* of the record */
	struct terms terms;
};

/* Return true if R cites the commit of ONE. */
static bool cites_commit(const struct cites *cites, const struct candidate *one)
{
	for (size_t i = 0; i < cites->n; i++) {
		if (cites->items[i].commit &&
		    !strcmp(cites->items[i].path, one->commit))
			return true;
	}
	return false;
}

/* A store_fn. */
static int mark_known(void *ctx, const struct record *r)
{
	struct look *l = ctx;
	struct arena a = {0};
	struct cites cites = {0};
	struct value v;

	if (store_find_key(l->store, r, "cites", &a, &v) == 1)
		cites_read(&cites, &v, r->path, &a, NULL);
	alike_read(&l->text, &l->terms, r->content, r->content_len);
	for (size_t i = 0; i < l->c->n; i++) {
		const struct candidate *one = &l->c->items[i];

		l->known[i] =
			l->known[i] ||
			alike_compare(&l->words[i], &l->text) >= ALIKE_KNOWN ||
			(one->commit && one->kind != CANDIDATE_TRAILER &&
			 cites_commit(&cites, one));
	}
	arena_release(&a);
	return 0;
}

int known_drop(struct candidates *c, struct store *s, struct err *e)
{
	static const enum area areas[] = {AREA_MEMORIES, AREA_DRAFTS,
					  AREA_ARCHIVE, AREA_TRASH};
	struct look l = {.c = c, .store = s};
	size_t n = 0;
	int r = 0;

	if (!c->n)
		return 0;
	l.words = mem_alloc(c->n * sizeof(*l.words));
	l.known = mem_alloc(c->n * sizeof(*l.known));
	memset(l.words, 0, c->n * sizeof(*l.words));
	memset(l.known, 0, c->n * sizeof(*l.known));
	for (size_t i = 0; i < c->n; i++)
		alike_read(&l.words[i], &l.terms, c->items[i].text,
			   c->items[i].len);
	for (size_t i = 0; i < ARRAY_LEN(areas) && !r; i++)
		r = store_each(s, areas[i], mark_known, &l, e);
	for (size_t i = 0; i < c->n; i++) {
		alike_release(&l.words[i]);
		if (r || !l.known[i])
			c->items[n++] = c->items[i];
	}
	c->n = n;
	free(l.words);
	free(l.known);
	alike_release(&l.text);
	terms_release(&l.terms);
	return r;
}
