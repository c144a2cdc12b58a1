/* explain.c: see explain.h. */
#include "explain.h"

void explain_damage(struct buf *out, const struct index *all, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct index_news *news = &all[i].news;

		if (*news->damage)
			buf_addf(out, "the index of '%s' %s: %s\n",
				 all[i].store->path,
				 news->made ? "was made anew" : "is of no use",
				 news->damage);
	}
}

static void add_index(struct buf *out, const struct index *ix)
{
	const struct index_news *news = &ix->news;

	if (!ix->cache) {
		if (ix->store->path)
			buf_addf(out, "absent: '%s'\n", ix->store->path);
		return;
	}
	buf_addf(out, "index of '%s': ", ix->store->path);
	if (news->made)
		buf_addf(out, "made of %zu documents", news->documents);
	else if (news->added)
		buf_addf(out, "%zu of %zu documents added", news->added,
			 news->documents);
	else
		buf_addf(out, "fresh, %zu documents", news->documents);
	if (news->memory)
		buf_addf(out, ", %zu in memory: %s", news->memory,
			 news->without);
	buf_addc(out, '\n');
}

static void add_terms(struct buf *out, const struct rank_result *r)
{
	for (size_t i = 0; i < r->nterms; i++) {
		const struct rank_term *t = &r->terms[i];

		buf_addf(out, "term '%.*s'%s: weight %.3f, in %zu documents\n",
			 (int)t->len, t->p, t->soft ? " (near)" : "", t->weight,
			 t->documents);
	}
}

static void add_hit(struct buf *out, size_t place, const struct answer_hit *hit,
		    size_t words)
{
	buf_addf(out, "%zu. score %.4f:", place, hit->rank.score);
	for (size_t i = 0; i < RANK_NSIGNALS; i++) {
		if (hit->rank.signals[i] != 0)
			buf_addf(out, " %s %.4f", rank_signal_names[i],
				 hit->rank.signals[i]);
	}
	buf_addf(out, ", %zu of %zu words%s: '%s'", hit->rank.words, words,
		 hit->rank.partial ? " (partial)" : "", hit->path);
	if (hit->doc.title && *hit->doc.title)
		buf_addf(out, ", %s", hit->doc.title);
	buf_addc(out, '\n');
}

void explain_answer(struct buf *out, const char *mode, const struct index *all,
		    size_t n, const struct answer *answer)
{
	buf_addf(out, "mode %s: %zu documents ranked\n", mode,
		 answer->documents);
	for (size_t i = 0; i < n; i++)
		add_index(out, &all[i]);
	add_terms(out, &answer->rank);
	for (size_t i = 0; i < answer->n; i++)
		add_hit(out, i + 1, &answer->hits[i], answer->rank.words);
}
