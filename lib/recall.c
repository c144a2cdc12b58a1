/* recall.c: see recall.h.
 *
 * Whoever types a text that stands in a memory wants that memory, and whoever
 * types part of a word has found it by grep as long as the store was small.
 * So literals count with an index, too: among the CANDIDATES best by rank, and,
 * where no memory holds all words of a query of FEW_WORDS, among all.
 */
#include "recall.h"

#include "search.h"
#include "snippet.h"
#include "utf8.h"

#include <unistd.h>

#define CANDIDATES 64
#define FEW_WORDS 2
#define LITERAL 2.0 /* in scores: above any sum of signals */

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

static int count_name(void *ctx, const char *name, enum file_kind kind)
{
	size_t *n = ctx;

	(void)kind;
	*n += shelf_is_memory(name);
	return *n >= RECALL_FTS_MIN;
}

/* Count the memories of S by their names, and no further than is needed. */
static void count_memories(struct store *s, size_t *n)
{
	int dir;

	if (shelf_open(s, "memories", &dir, NULL) != 1)
		return;
	file_walk(dir, s->path, count_name, n, NULL);
	close(dir);
}

static enum recall_mode choose(struct store *const *stores, size_t n)
{
	size_t memories = 0;

	for (size_t i = 0; i < n && memories < RECALL_FTS_MIN; i++)
		count_memories(stores[i], &memories);
	return memories < RECALL_FTS_MIN ? RECALL_GREP : RECALL_HYBRID;
}

struct recalling {
	struct recall *out;
	const struct recall_ask *ask;
	struct match *literal; /* NULL: the query has operators */
	struct record *items;
	size_t n, cap;
	size_t nliterals;    /* of them that came from no hit */
	bool *taken;	     /* of each hit: it is among the items */
	struct index *index; /* that is read */
	struct arena *a;
	struct err *e;
};

static void keep(struct recalling *rc, const struct record *r)
{
	rc->items = mem_grow(rc->items, rc->n, &rc->cap, sizeof(*rc->items));
	rc->items[rc->n++] = *r;
}

static bool is_literal(const struct recalling *rc, const char *path)
{
	for (size_t i = 0; i < rc->nliterals; i++) {
		if (!strcmp(rc->items[i].path, path))
			return true;
	}
	return false;
}

/* The hits that hold the literal, if WANTED, or the others. */
static int keep_hits(struct recalling *rc, bool wanted)
{
	const struct answer *answer = &rc->out->answer;

	for (size_t i = 0; i < answer->n; i++) {
		struct record r;
		int holds = 0;

		if (rc->taken[i])
			continue;
		r = answer_record(&answer->hits[i], rc->a);
		if (rc->literal && !r.partial)
			holds = search_test(rc->literal, &r, rc->e);
		if (holds < 0)
			return -1;
		if (holds != wanted || is_literal(rc, r.path))
			continue;
		rc->taken[i] = true;
		r.score += holds ? LITERAL : 0;
		keep(rc, &r);
	}
	return 0;
}

static int test_literal(void *ctx, const struct record *r)
{
	struct recalling *rc = ctx;
	int holds = search_test(rc->literal, r, rc->e);
	struct record kept;

	if (holds != 1)
		return holds;
	if (!cache_keep(rc->index->cache, r, rc->a, &kept))
		kept = record_copy(r, rc->a);
	kept.ranked = true;
	kept.score = LITERAL;
	keep(rc, &kept);
	return 0;
}

static int pass_over(void *ctx, const struct shelf_file *f, struct err *e)
{
	(void)ctx;
	(void)f;
	(void)e;
	return 0;
}

/* Keep the newest memories that hold the literal, wherever it stands. */
static int keep_literals(struct recalling *rc)
{
	for (size_t i = 0; i < rc->out->nindexes; i++) {
		rc->index = &rc->out->indexes[i];
		if (rc->index->cache &&
		    cache_each_record(rc->index->cache, NULL, test_literal,
				      pass_over, rc, rc->e) < 0)
			return -1;
	}
	if (rc->n)
		qsort(rc->items, rc->n, sizeof(*rc->items),
		      record_newest_first);
	if (rc->n > rc->ask->max)
		rc->n = rc->ask->max;
	rc->nliterals = rc->n;
	return 0;
}

static bool is_plain(const struct question *q)
{
	return !question_narrows(q) && !q->nphrases && !q->nnots;
}

/* Put together what is shown: literals, then what was ranked. */
static int order(struct recalling *rc)
{
	const struct question *q = &rc->out->question;
	const struct answer *answer = &rc->out->answer;
	const char *literal = rc->ask->query;
	size_t len = strlen(literal);
	int r = -1;

	rc->taken = arena_alloc(rc->a, answer->n + 1);
	utf8_strip(&literal, &len);
	if (is_plain(q) && len <= MATCH_PATTERN_MAX &&
	    match_new(&rc->literal, literal, len, MATCH_LITERAL, rc->e) < 0)
		goto out;
	if (rc->literal && q->nwords <= FEW_WORDS &&
	    (!answer->n || answer->hits[0].rank.partial) &&
	    keep_literals(rc) < 0)
		goto out;
	if ((rc->literal && keep_hits(rc, true) < 0) ||
	    keep_hits(rc, false) < 0)
		goto out;
	r = 0;
out:
	match_free(rc->literal);
	return r;
}

/* Hand out the first of what was kept, with snippets. */
static void finish(struct recalling *rc)
{
	struct records *found = &rc->out->found;
	struct buf snippet = {0};

	found->n = rc->n < rc->ask->max ? rc->n : rc->ask->max;
	found->items =
		arena_alloc(rc->a, (found->n + 1) * sizeof(*found->items));
	for (size_t i = 0; i < found->n; i++) {
		struct record *r = &found->items[i];

		*r = record_copy(&rc->items[i], rc->a);
		r->degraded = rc->out->degraded;
		if (r->content_len <= rc->ask->whole)
			continue;
		buf_cut(&snippet, 0);
		snippet_add(&snippet, r->content, r->content_len,
			    &rc->out->question);
		r->snippet = arena_strdup(rc->a, buf_str(&snippet));
	}
	buf_release(&snippet);
}

/* Have meaning counted, too.  Who wants no encoder misses nothing, unless they
 * asked for one by the mode. */
static void mean(struct recall *out, const struct recall_ask *ask)
{
	if (!meaning_open(&out->meaning, "hybrid", ask->argv0, ask->report) &&
	    ask->mode == RECALL_AUTO)
		out->meaning.without[0] = '\0';
	out->meaning.text = ask->query;
}

/* True if more speaks for HIT than that it is no nearer in meaning than chance
 * would have one be. */
static bool is_found(const struct rank_hit *hit, float chance)
{
	return hit->signals[RANK_WORDS] > 0 ||
	       hit->signals[RANK_METADATA] > 0 ||
	       hit->signals[RANK_NEIGHBOURS] > hit->signals[RANK_COSINE] ||
	       hit->cosine > chance;
}

/* Leave out what nothing but chance speaks for: in any store something is
 * nearest to anything. */
static void leave_chance(struct recall *out)
{
	struct answer *answer = &out->answer;
	size_t n = 0;

	for (size_t i = 0; i < answer->n; i++) {
		if (is_found(&answer->hits[i].rank, out->meaning.chance))
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
	int r = -1;

	size_t documents = 0;

	question_parse(&out->question, ask->query, strlen(ask->query), a);
	for (; out->nindexes < n; out->nindexes++) {
		if (index_open(&out->indexes[out->nindexes],
			       stores[out->nindexes], 0, e) < 0)
			return -1;
		documents += out->indexes[out->nindexes].news.documents;
	}
	if (documents < RECALL_HYBRID_MIN && ask->mode == RECALL_AUTO)
		out->mode = RECALL_FTS;
	if (out->mode == RECALL_HYBRID)
		mean(out, ask);
	if (answer_find(out->indexes, n, ANSWER_MEMORIES, &wide,
			out->mode == RECALL_HYBRID ? &out->meaning.how : NULL,
			a, &out->answer, e) < 0)
		goto out;
	if (ask->mode == RECALL_AUTO && out->meaning.used)
		leave_chance(out);
	if (*out->meaning.without)
		out->degraded = out->meaning.without;
	if (!out->meaning.used)
		out->mode = RECALL_FTS;
	if (order(&rc) < 0)
		goto out;
	finish(&rc);
	r = 0;
out:
	free(rc.items);
	return r;
}

/* True if no memory holds the query as it stands, and it has operators, which
 * grep would take for words: not:x must not find x. */
static bool needs_operators(const struct recall_ask *ask, struct recall *out,
			    struct arena *a)
{
	if (out->found.n && !out->found.items[0].partial)
		return false;
	question_parse(&out->question, ask->query, strlen(ask->query), a);
	return !is_plain(&out->question);
}

int recall(struct store *const *stores, size_t n, const struct recall_ask *ask,
	   struct arena *a, struct recall *out, struct err *e)
{
	*out = (struct recall){.mode = ask->mode};
	if (ask->mode == RECALL_AUTO)
		out->mode = choose(stores, n);
	if (out->mode == RECALL_HYBRID && ask->words)
		out->mode = RECALL_FTS;
	if (out->mode == RECALL_GREP) {
		if (search_recall(stores, n, ask->query, ask->max, a,
				  &out->found, e) < 0)
			return -1;
		if (ask->mode == RECALL_GREP || !needs_operators(ask, out, a))
			return 0;
		out->mode = RECALL_FTS;
	}
	return by_index(stores, n, ask, a, out, e);
}

void recall_release(struct recall *r)
{
	for (size_t i = 0; i < r->nindexes; i++)
		index_close(&r->indexes[i]);
	r->nindexes = 0;
	meaning_close(&r->meaning);
}
