/* recall.c: see recall.h.
 *
 * Whoever types a text that stands in a memory wants that memory, and whoever
 * types part of a word has found it by grep as long as the store was small.
 * So literals count with an index, too: among FEW_DOCUMENTS, all; among more, in
 * the CANDIDATES best by rank, and, where fewer memories than are wanted hold all words of a query of FEW_WORDS,
 * among all.  To look through all takes a third as long as the sweep, so that
 * it is left out where no longer word begins with the last one of the query.
 */
#include "search/recall.h"

#include "base/utf8.h"
#include "cache/cache.h"
#include "rank/snippet.h"
#include "search/grep.h"

#include <unistd.h>

#define CANDIDATES 64
#define FEW_WORDS 2
#define FEW_DOCUMENTS 200

static const char *const names[] = {
	[RECALL_AUTO] = "auto",
	[RECALL_GREP] = "grep",
	[RECALL_FTS] = "fts",
	[RECALL_HYBRID] = "hybrid",
};

const char *recall_mode_name(enum recall_mode mode)
{
	return names[mode];
}

enum recall_mode recall_mode_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (!strcmp(names[i], name))
			return (enum recall_mode)i;
	}
	return RECALL_AUTO;
}

/* A hit by its place in the view. */
struct ranked {
	const struct catalog_entry *entry;
	const struct rank_hit *rank;
};

struct recalling {
	struct recall *out;
	const struct recall_ask *ask;
	struct match *literal[PARALLEL_MAX]; /* NULL: the query has operators */
	const struct catalog_entry *
		*kept; /* what was found by remember(), sorted */
	size_t nkept;
	struct ranked *ranked; /* by entry */
	size_t nranked;
	struct results more; /* that hold the literal, and came from no hit */
	struct index *index; /* that is read */
	bool few; /* documents, and chosen by auto: all are looked at */
	struct arena *a;
	struct err *e;
};

static int by_address(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return (*x > *y) - (*x < *y);
}

/* Make what was found so far known to is_kept(). */
static void remember(struct recalling *rc)
{
	const struct results *found = &rc->out->found;

	rc->nkept = found->n;
	rc->kept = arena_alloc(rc->a, (found->n + 1) * sizeof(*rc->kept));
	for (size_t i = 0; i < found->n; i++)
		rc->kept[i] = found->items[i].entry;
	if (found->n)
		qsort(rc->kept, found->n, sizeof(*rc->kept), by_address);
}

static bool is_kept(const struct recalling *rc, const struct view_ref *ref)
{
	return rc->nkept && bsearch(&ref->entry, rc->kept, rc->nkept,
				    sizeof(ref->entry), by_address);
}

/* 1 if HIT holds the literal, 0 or -1. */
static int holds_literal(struct recalling *rc, const struct answer_hit *hit)
{
	struct arena a = {0};
	struct record r;
	int holds;

	if (hit->rank->partial)
		return 0;
	r = answer_record(hit, &a);
	holds = grep_test(rc->literal[0], &r, rc->e);
	arena_release(&a);
	return holds;
}

static uint16_t per_10000(const struct answer_hit *hit)
{
	return (uint16_t)(hit->rank->coverage * 10000 + 0.5F);
}

/* The hits that hold the literal, if WANTED, or the others. */
static int keep_hits(struct recalling *rc, bool wanted)
{
	const struct answer *answer = &rc->out->answer;
	struct results *found = &rc->out->found;

	for (size_t i = 0; i < answer->n && found->n < found->max; i++) {
		const struct answer_hit *hit = &answer->hits[i];
		const struct result extra = {
			.ranked = true,
			.score = hit->rank->score,
			.coverage = wanted ? 10000 : per_10000(hit),
			.partial = hit->rank->partial,
			.literal = wanted};
		int holds = wanted ? holds_literal(rc, hit) : 0;
		struct view_ref ref;

		if (holds < 0)
			return -1;
		if (holds != wanted ||
		    (rc->nkept &&
		     view_keep_number(hit->index->cache, hit->number, &ref) &&
		     is_kept(rc, &ref)))
			continue;
		results_add_number(found, hit->index->store, hit->number,
				   &extra);
	}
	remember(rc);
	return 0;
}

static int test_literal(void *ctx, unsigned who, const struct record *r,
			struct err *e)
{
	const struct recalling *rc = ctx;

	return grep_test(rc->literal[who], r, e);
}

/* List the hits by their places in the view. */
static void list_ranked(struct recalling *rc)
{
	const struct answer *answer = &rc->out->answer;

	rc->ranked = arena_alloc(rc->a, (answer->n + 1) * sizeof(*rc->ranked));
	for (size_t i = 0; i < answer->n; i++) {
		const struct answer_hit *hit = &answer->hits[i];
		struct view_ref ref;

		if (view_keep_number(hit->index->cache, hit->number, &ref))
			rc->ranked[rc->nranked++] =
				(struct ranked){ref.entry, hit->rank};
	}
	qsort(rc->ranked, rc->nranked, sizeof(*rc->ranked), by_address);
}

static int keep_literal(void *ctx, const struct record *r)
{
	struct recalling *rc = ctx;
	struct result extra = {
		.ranked = true, .literal = true, .coverage = 10000};
	const struct ranked *found = NULL;
	struct view_ref ref;

	if (view_keep(rc->index->cache, r, &ref)) {
		if (is_kept(rc, &ref))
			return 0;
		found = bsearch(&ref.entry, rc->ranked, rc->nranked,
				sizeof(*found), by_address);
	}
	if (found)
		extra.score = found->rank->score;
	/* What was ranked is counted already, as what it was there. */
	rc->out->whole_total += !found || found->rank->partial;
	rc->out->partial_total -= found && found->rank->partial;
	results_add(&rc->more, rc->index->store, r, &extra);
	return 0;
}

static int pass_over(void *ctx, const struct layout_file *f, struct err *e)
{
	(void)ctx;
	(void)f;
	(void)e;
	return 0;
}

/* Keep the newest of all other memories that hold the literal, wherever it
 * stands. */
static int keep_literals(struct recalling *rc)
{
	struct results *found = &rc->out->found;
	int r = 0;

	list_ranked(rc);
	rc->more = (struct results){.order = RESULTS_NEWEST,
				    .max = found->max,
				    .whole = found->whole};
	for (unsigned who = 1; who < PARALLEL_MAX; who++)
		rc->literal[who] = match_again(rc->literal[0]);
	for (size_t i = 0; i < rc->out->nindexes && r >= 0; i++) {
		rc->index = &rc->out->indexes[i];
		if (rc->index->cache)
			r = view_each_record(rc->index->cache, test_literal,
					     keep_literal, pass_over, rc,
					     rc->e);
	}
	if (r >= 0) {
		results_sort(&rc->more);
		results_take(found, &rc->more);
		remember(rc);
	}
	results_release(&rc->more);
	return r;
}

/* True if there may be a longer word that begins with the last one of the
 * query. */
static bool is_begun(const struct recalling *rc)
{
	const struct query *q = &rc->out->question;
	const struct query_term *t = &q->terms[q->nterms - 1];

	for (size_t i = 0; i < rc->out->nindexes; i++) {
		const struct index *ix = &rc->out->indexes[i];

		if (ix->extra || (ix->db && fts_begins(ix->db, t->p, t->len)))
			return true;
	}
	return false;
}

/* True if more memories than those that hold all words may be wanted, and hold
 * the literal. */
static bool is_wanting(const struct recalling *rc)
{
	const struct answer *answer = &rc->out->answer;
	size_t whole = 0;

	if (rc->out->question.nwords > FEW_WORDS)
		return false;
	for (size_t i = 0; i < answer->n && whole < rc->ask->max; i++)
		whole += !answer->hits[i].rank->partial;
	return !whole || (whole < rc->ask->max && is_begun(rc));
}

/* True if the query may be looked for as it stands: what has operators is not
 * meant so; that a phrase is quoted is seen by a look at all there is. */
static bool is_plain(const struct recalling *rc)
{
	const struct query *q = &rc->out->question;

	return !query_narrows(q) && !q->nnots && (rc->few || !q->nphrases);
}

/* Those that hold the literal: in a small store all, the newest first. */
static int keep_literal_hits(struct recalling *rc)
{
	if (rc->few)
		return keep_literals(rc);
	if (keep_hits(rc, true) < 0)
		return -1;
	return is_wanting(rc) ? keep_literals(rc) : 0;
}

/* Put together what is shown: literals, then what was ranked. */
static int order(struct recalling *rc)
{
	const char *literal = rc->ask->query;
	size_t len = strlen(literal);
	int r = -1;

	utf8_strip(&literal, &len);
	if (is_plain(rc) && grep_may_hold(literal, len)) {
		if (match_new(&rc->literal[0], literal, len, MATCH_LITERAL,
			      rc->e) < 0 ||
		    keep_literal_hits(rc) < 0)
			goto out;
	}
	r = keep_hits(rc, false);
out:
	for (unsigned who = PARALLEL_MAX; who-- > 0;)
		match_free(rc->literal[who]);
	return r;
}

/* Have meaning counted, too.  Who wants no encoder misses nothing, unless they
 * asked for one by the mode. */
static void mean(struct recall *out, const struct recall_ask *ask)
{
	const char *mode = out->mode == RECALL_HYBRID ? "hybrid" : "fts";

	if (!semantic_open(&out->meaning, mode, ask->argv0, ask->report) &&
	    ask->mode == RECALL_AUTO)
		out->meaning.without[0] = '\0';
	out->meaning.text = ask->query;
}

/* True if HIT is found by meaning and nothing else. */
static bool is_meant(const struct rank_hit *hit)
{
	return hit->score > 0 && !(hit->signals[RANK_WORDS] > 0 ||
				   hit->signals[RANK_NEIGHBOURS] > 0 ||
				   hit->signals[RANK_METADATA] > 0);
}

/* Leave out what only meaning brings, and is no nearer to the query than chance
 * would have one be: in any store something is nearest to anything. */
static void leave_chance(struct recall *out)
{
	struct answer *answer = &out->answer;
	size_t n = 0;

	for (size_t i = 0; i < answer->n; i++) {
		const struct answer_hit *hit = &answer->hits[i];

		if (!is_meant(hit->rank) ||
		    hit->rank->cosine > out->meaning.chance)
			answer->hits[n++] = *hit;
	}
	answer->n = n;
}

/* Leave out what holds less than LEAST of the query. */
static void leave_least(struct recall *out, float least)
{
	struct answer *answer = &out->answer;
	size_t n = 0;

	for (size_t i = 0; i < answer->n; i++) {
		if (answer->hits[i].rank->coverage >= least)
			answer->hits[n++] = answer->hits[i];
	}
	answer->n = n;
}

static int by_index(struct store *const *stores, size_t n,
		    const struct recall_ask *ask, struct arena *a,
		    struct recall *out, struct err *e)
{
	struct recalling rc = {.out = out, .ask = ask, .a = a, .e = e};
	struct rank_ask wide = {.question = &out->question,
				.max = ask->max < CANDIDATES ? CANDIDATES
							     : ask->max};
	size_t documents = 0;

	for (; out->nindexes < n; out->nindexes++) {
		if (index_open(&out->indexes[out->nindexes],
			       stores[out->nindexes], 0, e) < 0)
			return -1;
		documents += out->indexes[out->nindexes].news.documents;
	}
	if (documents > wide.max && documents < FEW_DOCUMENTS)
		wide.max = documents;
	rc.few = ask->mode == RECALL_AUTO && documents < FEW_DOCUMENTS;
	mean(out, ask);
	if (answer_find(out->indexes, n, ANSWER_MEMORIES, &wide,
			&out->meaning.how, a, &out->answer, e) < 0)
		return -1;
	if (ask->mode == RECALL_AUTO && out->meaning.used)
		leave_chance(out);
	if (*out->meaning.without)
		out->degraded = out->meaning.without;
	if (!out->meaning.used)
		out->mode = RECALL_FTS;
	out->whole_total = out->answer.rank.nwhole;
	out->partial_total = out->answer.rank.npartial;
	leave_least(out, ask->least);
	out->instead = answer_instead(&out->answer, a);
	return order(&rc);
}

/* What was found counts, though it hold no word: by its meaning, say. */
static void count(struct recall *out)
{
	size_t partial = 0;

	for (size_t i = 0; i < out->found.n; i++)
		partial += out->found.items[i].partial;
	if (out->mode == RECALL_GREP && partial)
		out->partial_total = out->found.seen;
	else if (out->mode == RECALL_GREP)
		out->whole_total = out->found.seen;
	if (out->whole_total < out->found.n - partial)
		out->whole_total = out->found.n - partial;
	if (out->partial_total < partial)
		out->partial_total = partial;
}

/* An index says this by itself. */
static int report_articles(struct store *const *stores, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (store_report_articles(stores[i], e) < 0)
			return -1;
	}
	return 0;
}

int recall(struct store *const *stores, size_t n, const struct recall_ask *ask,
	   struct arena *a, struct recall *out, struct err *e)
{
	const struct query *q = &out->question;

	*out = (struct recall){.mode = ask->mode, .whole = ask->whole};
	if (ask->mode != RECALL_GREP)
		query_parse(&out->question, ask->query, strlen(ask->query), a);
	if (q->fault && !ask->words)
		return err_set(e, ERR_USAGE, "%s", q->fault);
	if (ask->mode == RECALL_AUTO)
		out->mode = RECALL_HYBRID;
	if (out->mode == RECALL_HYBRID && ask->words)
		out->mode = RECALL_FTS;
	if (out->mode == RECALL_GREP) {
		if (grep_recall(stores, n, ask->query, ask->max, &out->found,
				e) < 0)
			return -1;
		count(out);
		return report_articles(stores, n, e);
	}
	out->found = (struct results){.max = ask->max, .whole = true};
	if (by_index(stores, n, ask, a, out, e) < 0)
		return -1;
	count(out);
	return 0;
}

void recall_get(const struct recall *r, size_t i, struct arena *a,
		struct record *out)
{
	struct buf snippet = {0}, matches = {0};

	results_get(&r->found, &r->found.items[i], a, out);
	out->total = out->partial ? r->partial_total : r->whole_total;
	if (r->mode == RECALL_GREP)
		return;
	out->degraded = r->degraded;
	out->instead = r->instead;
	if (out->content_len <= r->whole)
		return;
	snippet_add(&snippet, &matches, out->content, out->content_len,
		    &r->question);
	out->snippet = arena_copy(a, buf_str(&snippet), snippet.len);
	out->matches = arena_copy(a, buf_str(&matches), matches.len);
	buf_release(&snippet);
	buf_release(&matches);
}

void recall_release(struct recall *r)
{
	results_release(&r->found);
	for (size_t i = 0; i < r->nindexes; i++)
		index_close(&r->indexes[i]);
	r->nindexes = 0;
	semantic_close(&r->meaning);
}
