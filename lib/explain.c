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

/* Append the line of a SCORE; HIT is NULL for what was not ranked. */
static void add_hit(struct buf *out, size_t place, double score,
		    const struct answer_hit *hit, const char *path,
		    const struct answer *answer)
{
	const bool literal = !hit || score > (double)hit->rank.score;

	buf_addf(out, "%zu. score %.4f:", place, score);
	for (size_t i = 0; hit && i < RANK_NSIGNALS; i++) {
		if (hit->rank.signals[i] != 0)
			buf_addf(out, " %s %.4f", rank_signal_names[i],
				 (double)hit->rank.signals[i]);
	}
	buf_adds(out, literal ? " literal" : "");
	if (hit)
		buf_addf(out, ", %zu of %zu words%s", hit->rank.words,
			 answer->rank.words,
			 hit->rank.partial ? " (partial)" : "");
	buf_addf(out, ": '%s'", path);
	if (hit && hit->doc.title && *hit->doc.title)
		buf_addf(out, ", %s", hit->doc.title);
	buf_addc(out, '\n');
}

void explain_search(struct buf *out, const char *mode, const struct index *all,
		    size_t n, const struct answer *answer)
{
	buf_addf(out, "mode %s: %zu documents ranked\n", mode,
		 answer->documents);
	for (size_t i = 0; i < n; i++)
		add_index(out, &all[i]);
	add_terms(out, &answer->rank);
}

void explain_hits(struct buf *out, const struct answer *answer)
{
	for (size_t i = 0; i < answer->n; i++) {
		const struct answer_hit *hit = &answer->hits[i];

		add_hit(out, i + 1, (double)hit->rank.score, hit, hit->path,
			answer);
	}
}

void explain_shown(struct buf *out, const struct answer *answer,
		   const struct records *shown)
{
	for (size_t i = 0; i < shown->n; i++) {
		const struct record *r = &shown->items[i];
		size_t k = 0;

		while (k < answer->n && strcmp(answer->hits[k].path, r->path))
			k++;
		add_hit(out, i + 1, r->score,
			k < answer->n ? &answer->hits[k] : NULL, r->path,
			answer);
	}
}
