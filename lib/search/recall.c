/* recall.c: combine ranking, literal matches and meaning.
 *
 * A user who types a text of a memory wants that memory, and part of a word
 * must be found as it is by grep in a small store. So the literal query also
 * counts with an index: among FEW_DOCUMENTS it is searched in all memories;
 * among more, in the CANDIDATES best ones. If fewer memories than wanted have
 * all words of a query of FEW_WORDS, it is searched in all. That takes a third
 * of the time of the refresh, so it is skipped if no longer word begins with
 * the last word of the query.
 */
#include "search/recall.h"

#include "base/utf8.h"
#include "rank/rank.h"
#include "rank/weights.h"
#include "repo/marks.h"
#include "search/cited.h"
#include "search/grep.h"
#include "search/similar.h"

#define CANDIDATES 64
#define COMPARED 50 /* results that may say nearly the same */
#define MORE 20	    /* results in place of those left out for that */
#define FEW_WORDS 2
#define SENTENCES 12	 /* of a prompt */
#define SENTENCE_MAX 400 /* bytes */
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

/* A hit, and the entry of its memory in the view. */
struct ranked_entry {
	const struct catalog_entry *entry;
	const struct rank_hit *rank;
};

struct recall_state {
	struct recall *out;
	const struct recall_ask *ask;
	struct match *literal[PARALLEL_MAX]; /* for each thread; NULL: the query
					      * is not a literal */
	const struct catalog_entry **kept;   /* memories added so far, sorted */
	size_t nkept;
	struct ranked_entry *ranked; /* by entry */
	size_t nranked;
	struct results more; /* with the literal, but not among the hits */
	struct index *index; /* being read */
	bool few; /* in a small store, unless the mode is fts, all memories are
		     * searched for the literal */
	bool meant;    /* meaning was used */
	bool evidence; /* that the question is about some hit */
	size_t max;    /* how many results the caller asked for */
	size_t like_whole,
		like_partial; /* memories that results have as `like` */
	struct arena *a;
	struct err *e;
};

static int by_address(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return (*x > *y) - (*x < *y);
}

/* Sort the memories added so far, for is_added(). */
static void sort_added(struct recall_state *rc)
{
	const struct results *found = &rc->out->memories;

	rc->nkept = found->n;
	rc->kept = arena_alloc(rc->a, (found->n + 1) * sizeof(*rc->kept));
	for (size_t i = 0; i < found->n; i++)
		rc->kept[i] = found->items[i].entry;
	MEM_SORT(rc->kept, found->n, by_address);
}

static bool is_added(const struct recall_state *rc, const struct view_ref *ref)
{
	return rc->nkept && bsearch(&ref->entry, rc->kept, rc->nkept,
				    sizeof(ref->entry), by_address);
}

/* Return 1 if HIT has the literal, else 0, or -1. */
static int holds_literal(struct recall_state *rc, const struct answer_hit *hit)
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

/* Add the hits that have the literal if WANTED, otherwise the others. */
static int add_hits(struct recall_state *rc, bool wanted)
{
	const struct answer *answer = &rc->out->answers[RECORD_MEMORY];
	struct results *found = &rc->out->memories;

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
		     is_added(rc, &ref)))
			continue;
		results_add_number(found, hit->index->store, hit->number,
				   &extra);
	}
	sort_added(rc);
	return 0;
}

static int test_literal(void *ctx, unsigned who, const struct record *r,
			struct err *e)
{
	const struct recall_state *rc = ctx;

	return store_marks(rc->index->store, &r->keys, NULL) & marks_hidden() &
			       ~rc->ask->lifted
		       ? 0
		       : grep_test(rc->literal[who], r, e);
}

/* Sort the hits by entry. */
static void list_ranked(struct recall_state *rc)
{
	const struct answer *answer = &rc->out->answers[RECORD_MEMORY];

	rc->ranked = arena_alloc(rc->a, (answer->n + 1) * sizeof(*rc->ranked));
	for (size_t i = 0; i < answer->n; i++) {
		const struct answer_hit *hit = &answer->hits[i];
		struct view_ref ref;

		if (view_keep_number(hit->index->cache, hit->number, &ref))
			rc->ranked[rc->nranked++] =
				(struct ranked_entry){ref.entry, hit->rank};
	}
	qsort(rc->ranked, rc->nranked, sizeof(*rc->ranked), by_address);
}

/* Return true if HIT was found only by its meaning. */
static bool is_wordless(const struct rank_hit *hit)
{
	return !hit->words && !(hit->coverage > 0);
}

static int add_literal(void *ctx, const struct record *r)
{
	struct recall_state *rc = ctx;
	struct display_total *total = &rc->out->totals[RECORD_MEMORY];
	struct result extra = {
		.ranked = true, .literal = true, .coverage = 10000};
	const struct ranked_entry *found = NULL;
	struct view_ref ref;

	if (view_keep(rc->index->cache, r, &ref)) {
		if (is_added(rc, &ref))
			return 0;
		found = bsearch(&ref.entry, rc->ranked, rc->nranked,
				sizeof(*found), by_address);
	}
	if (found)
		extra.score = found->rank->score;
	/* A ranked memory is counted already, as whole or partial; one that was found by
	 * its meaning only is not. */
	total->whole += !found || found->rank->partial;
	total->partial -= found && found->rank->partial &&
			  !is_wordless(found->rank) && total->partial;
	results_add(&rc->more, rc->index->store, r, &extra);
	return 0;
}

static int ignore_file(void *ctx, const struct layout_file *f, struct err *e)
{
	(void)ctx;
	(void)f;
	(void)e;
	return 0;
}

/* Add the newest of the other memories that have the literal. */
static int add_other_literals(struct recall_state *rc)
{
	struct results *found = &rc->out->memories;
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
					     add_literal, ignore_file, rc,
					     rc->e);
	}
	if (r >= 0) {
		results_sort(&rc->more);
		results_take(found, &rc->more);
		sort_added(rc);
	}
	results_release(&rc->more);
	return r;
}

/* Return true if a longer word may begin with the last word of the query. */
static bool may_be_prefix(const struct recall_state *rc)
{
	const struct query *q = &rc->out->query;
	const struct query_term *t = &q->terms[q->nterms - 1];

	for (size_t i = 0; i < rc->out->nindexes; i++) {
		const struct index *ix = &rc->out->indexes[i];

		if (ix->extra || (ix->db && fts_begins(ix->db, t->p, t->len)))
			return true;
	}
	return false;
}

/* Return true if memories that do not have all words may be wanted, and may
 * have the literal. */
static bool wants_more(const struct recall_state *rc)
{
	const struct answer *answer = &rc->out->answers[RECORD_MEMORY];
	size_t whole = 0;

	if (rc->out->query.nwords > FEW_WORDS)
		return false;
	for (size_t i = 0; i < answer->n && whole < rc->ask->max; i++)
		whole += !answer->hits[i].rank->partial;
	return !whole || (whole < rc->ask->max && may_be_prefix(rc));
}

/* Return true if the query may be a literal: no prompt and without operators. A
 * quoted phrase is a literal only if all memories are searched. */
static bool may_be_literal(const struct recall_state *rc)
{
	const struct query *q = &rc->out->query;

	return !rc->ask->prompt && !query_narrows(q) && !q->nnots &&
	       (rc->few || !q->nphrases);
}

/* Add the memories that have the literal; in a small store all, newest
 * first. */
static int add_literal_hits(struct recall_state *rc)
{
	if (rc->few)
		return add_other_literals(rc);
	if (add_hits(rc, true) < 0)
		return -1;
	return wants_more(rc) ? add_other_literals(rc) : 0;
}

/* Compile the literal, if the query may be one. */
static int compile_literal(struct recall_state *rc)
{
	const char *literal = rc->ask->query;
	size_t len = strlen(literal);

	utf8_strip(&literal, &len);
	if (!may_be_literal(rc) || !grep_may_hold(literal, len))
		return 0;
	return match_new(&rc->literal[0], literal, len, MATCH_LITERAL, rc->e);
}

/* Add the memories: literals, then ranked ones. */
static int add_memories(struct recall_state *rc)
{
	if (rc->literal[0] && add_literal_hits(rc) < 0)
		return -1;
	return add_hits(rc, false);
}

/* Open the encoder. In mode auto, settings without an encoder are not
 * reported. */
static void open_encoder(struct recall *out, const struct recall_ask *ask)
{
	const char *mode = out->mode != RECALL_HYBRID ? "fts"
			   : ask->words		      ? "sentences"
						      : "hybrid";

	if (!semantic_open(&out->meaning, mode, ask->argv0, ask->report) &&
	    ask->mode == RECALL_AUTO)
		out->meaning.without[0] = '\0';
	out->meaning.text = ask->query;
}

bool recall_has_evidence(const struct answer *answer,
			 const struct semantic *meaning)
{
	for (size_t i = 0; i < answer->n; i++) {
		const struct rank_hit *hit = answer->hits[i].rank;

		if (hit->coverage + hit->telling >= WEIGHT_EVIDENCE ||
		    (meaning->used && hit->cosine > meaning->least))
			return true;
	}
	return false;
}

/* Remove all hits of all kinds. */
static void drop_hits(struct recall *out)
{
	for (enum record_kind k = 0; k < RECORD_KINDS; k++) {
		out->answers[k].n = 0;
		out->totals[k] = (struct display_total){0};
		out->instead[k] = NULL;
	}
}

/* Remove hits that have no word of the question and next to nothing of the best
 * score: in a small store, everything is near in meaning. If another document has
 * all words, or sentences were compared, also those that are not nearer in meaning
 * than chance; unless the NEAREST is wanted. */
static void drop_wordless_hits(struct answer *answer,
			       const struct semantic *meaning, bool nearest)
{
	const bool by_cosine =
		answer->rank.nwhole || (meaning->reads_sentences && !nearest);
	float least = 0;
	size_t n = 0;

	for (size_t i = 0; i < answer->n; i++) {
		const struct rank_hit *hit = answer->hits[i].rank;
		const bool wordless = is_wordless(hit);

		if (wordless && by_cosine && hit->cosine <= meaning->least)
			continue;
		if (!n)
			least = hit->score * WEIGHT_FAINT;
		if (!wordless || hit->score >= least)
			answer->hits[n++] = answer->hits[i];
	}
	answer->n = n;
}

/* Return true if HIT has enough of a sentence of a prompt to be given unasked. With
 * MEANT, sentences were compared: nearness in meaning then counts as much as rare words,
 * and a hit that is not near at all has the words by chance. A document without a vector
 * was not compared: in a new index, most have none until a few prompts have made them. */
static bool is_given(const struct rank_hit *hit, bool meant)
{
	const bool compared = meant && (hit->cosine < 0 || hit->cosine > 0);
	const float near = compared && hit->cosine > 0 ? hit->cosine : 0;
	const bool timely = hit->signals[RANK_TIME] > 0;

	if (compared && hit->words && near < WEIGHT_PROMPT_NEAR)
		return false;
	if (hit->telling + near >=
		    (compared ? WEIGHT_PROMPT_MEANT : WEIGHT_PROMPT) ||
	    near >= WEIGHT_COSINE_PROMPT)
		return true;
	if (hit->words)
		return hit->coverage >= WEIGHT_PROMPT_COVERED &&
		       hit->telling >= WEIGHT_PROMPT_LEAST;
	return hit->telling >= WEIGHT_TELLING &&
	       hit->coverage >=
		       (timely ? WEIGHT_PROMPT_DATED : WEIGHT_PROMPT_GUESSED);
}

static void drop_small_talk(struct answer *answer, bool meant)
{
	size_t n = 0;

	for (size_t i = 0; i < answer->n; i++) {
		if (is_given(answer->hits[i].rank, meant))
			answer->hits[n++] = answer->hits[i];
	}
	answer->n = n;
}

/* Search the documents of KIND. */
static int search_kind(struct recall_state *rc, enum record_kind kind)
{
	const struct recall_ask *ask = rc->ask;
	struct recall *out = rc->out;
	struct answer *answer = &out->answers[kind];
	struct rank_ask wide = {.query = &out->query,
				.max = ask->max < CANDIDATES ? CANDIDATES
							     : ask->max,
				.telling = ask->prompt || ask->explained ||
					   ask->mode == RECALL_AUTO};
	size_t documents = 0;

	for (size_t i = 0; i < out->nindexes; i++)
		documents += answer_count(&out->indexes[i], kind);
	if (documents > wide.max && documents < FEW_DOCUMENTS)
		wide.max = documents;
	rc->few = ask->mode != RECALL_FTS && documents < FEW_DOCUMENTS;
	if (!documents && kind != RECORD_MEMORY)
		return 0;
	if (answer_find(out->indexes, out->nindexes, ANSWER_KIND(kind),
			rc->ask->lifted, &wide, &out->meaning.how, rc->a,
			answer, rc->e) < 0)
		return -1;
	rc->evidence |= recall_has_evidence(answer, &out->meaning);
	if (out->query.nterms && out->meaning.used)
		drop_wordless_hits(answer, &out->meaning,
				   ask->mode == RECALL_HYBRID);
	if (*out->meaning.without)
		out->degraded = out->meaning.without;
	rc->meant |= out->meaning.used;
	out->totals[kind] = (struct display_total){answer->rank.nwhole,
						   answer->rank.npartial};
	if (ask->prompt)
		drop_small_talk(answer, out->meaning.used &&
						out->meaning.reads_sentences);
	out->instead[kind] = answer_instead(answer, rc->a);
	return 0;
}

/* Return the length of the sentence that P begins with, with the blanks after it: up to
 * a full stop before a blank, or the end of the line. */
static size_t sentence_length(const char *p)
{
	size_t len = 0;

	while (p[len] && p[len] != '\n' && len < SENTENCE_MAX &&
	       !(strchr(".?!;:", p[len]) &&
		 (!p[len + 1] || strchr(" \t\r\n", p[len + 1]))))
		len++;
	if (len == SENTENCE_MAX)
		len = utf8_cut(p, len + 4, len);
	while (p[len] && strchr(".?!;: \t\r\n", p[len]))
		len++;
	return len;
}

/* Return true if the LEN bytes of P have anything but blanks. */
static bool is_said(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!strchr(" \t\r\n", p[i]))
			return true;
	}
	return false;
}

/* The hits of all sentences of a prompt. */
struct prompt_hits {
	struct answer_hit *items;
	size_t n, cap;
};

/* Add the hits of ANSWER to ALL; of one that is there already, the better score
 * counts. */
static void add_prompt_hits(struct prompt_hits *all,
			    const struct answer *answer)
{
	for (size_t i = 0; i < answer->n; i++) {
		const struct answer_hit *hit = &answer->hits[i];
		size_t k = 0;

		while (k < all->n && (all->items[k].index != hit->index ||
				      all->items[k].number != hit->number))
			k++;
		if (k == all->n) {
			*MEM_ADD(all->items, all->n, all->cap) = *hit;
		} else if (hit->rank->score > all->items[k].rank->score) {
			all->items[k] = *hit;
		}
	}
}

static int by_score(const void *a, const void *b)
{
	const struct answer_hit *x = a, *y = b;

	if (x->rank->score != y->rank->score)
		return x->rank->score > y->rank->score ? -1 : 1;
	return (x->number < y->number) - (x->number > y->number);
}

/* Search for the LEN bytes of P, a sentence of the prompt, and add the hits to
 * ALL. */
static int search_sentence(struct recall_state *rc, const char *p, size_t len,
			   unsigned kinds, struct prompt_hits *all)
{
	struct recall *out = rc->out;

	query_parse(&out->query, p, len, rc->a);
	out->meaning.text = arena_copy(rc->a, p, len);
	for (enum record_kind k = RECORD_KINDS; k-- > 0;) {
		if (!(kinds & ANSWER_KIND(k)))
			continue;
		if (search_kind(rc, k) < 0)
			return -1;
		add_prompt_hits(&all[k], &out->answers[k]);
	}
	return 0;
}

/* Search for each sentence of the prompt by itself: what else is said with it takes
 * nothing from what it asks. */
static int search_prompt(struct recall_state *rc, unsigned kinds)
{
	struct prompt_hits all[RECORD_KINDS] = {{0}};
	const char *prompt = rc->ask->query;
	struct recall *out = rc->out;
	size_t len, sentences = 0;
	int r = 0;

	for (; !r && *prompt && sentences < SENTENCES; prompt += len) {
		len = sentence_length(prompt);
		if (!is_said(prompt, len))
			continue;
		sentences++;
		r = search_sentence(rc, prompt, len, kinds, all);
	}
	for (enum record_kind k = 0; k < RECORD_KINDS; k++) {
		const size_t size = all[k].n * sizeof(*all[k].items);

		out->answers[k].n = all[k].n;
		out->answers[k].hits = arena_alloc(rc->a, size + 1);
		if (size) {
			qsort(all[k].items, all[k].n, sizeof(*all[k].items),
			      by_score);
			memcpy(out->answers[k].hits, all[k].items, size);
		}
		free(all[k].items);
		out->totals[k] = (struct display_total){all[k].n, 0};
		out->instead[k] = NULL;
	}
	query_parse(&out->query, rc->ask->query, strlen(rc->ask->query), rc->a);
	return r;
}

/* Return true if X comes before Y, false if they tie. */
static bool is_before(const struct recall_found *x,
		      const struct recall_found *y)
{
	if (x->literal != y->literal)
		return x->literal;
	if (x->literal && x->kind != y->kind)
		return x->kind < y->kind;
	return x->score > y->score;
}

/* List the results of KIND, best first: *N of them at *LIST. */
static int list_kind(struct recall_state *rc, enum record_kind kind,
		     struct recall_found **list, size_t *n)
{
	const struct results *memories = &rc->out->memories;
	const struct answer *answer = &rc->out->answers[kind];
	const size_t count = kind == RECORD_MEMORY ? memories->n : answer->n;
	size_t first = 0;

	*list = arena_alloc(rc->a, (count + 1) * sizeof(**list));
	*n = 0;
	for (size_t i = 0; i < count; i++) {
		struct recall_found one = {.kind = kind, .i = i};

		if (kind == RECORD_MEMORY) {
			one.literal = memories->items[i].literal;
			one.partial = memories->items[i].partial;
			one.score = (double)memories->items[i].score;
		} else {
			const int holds =
				rc->literal[0]
					? holds_literal(rc, &answer->hits[i])
					: 0;

			if (holds < 0)
				return -1;
			one.literal = holds;
			one.partial = answer->hits[i].rank->partial;
			one.score = (double)answer->hits[i].rank->score;
		}
		if (one.literal && kind != RECORD_MEMORY) {
			memmove(*list + first + 1, *list + first,
				(*n - first) * sizeof(one));
			(*list)[first++] = one;
		} else {
			(*list)[*n] = one;
		}
		++*n;
	}
	return 0;
}

/* Merge the results of all kinds. */
static int merge_kinds(struct recall_state *rc)
{
	struct recall *out = rc->out;
	struct recall_found *lists[RECORD_KINDS];
	size_t n[RECORD_KINDS] = {0}, at[RECORD_KINDS] = {0}, others, most;

	for (enum record_kind k = 0; k < RECORD_KINDS; k++) {
		if (list_kind(rc, k, &lists[k], &n[k]) < 0)
			return -1;
	}
	others = n[RECORD_MEMORY] + n[RECORD_ITEM];
	most = rc->max / 2 < others ? rc->max / 2 : others;
	if (others && n[RECORD_ARTICLE] > most)
		n[RECORD_ARTICLE] = most;
	others += n[RECORD_ARTICLE];
	others = others < rc->ask->max ? others : rc->ask->max;
	out->found = arena_alloc(rc->a, (others + 1) * sizeof(*out->found));
	while (out->n < others) {
		enum record_kind best = RECORD_KINDS;

		for (enum record_kind k = 0; k < RECORD_KINDS; k++) {
			if (at[k] < n[k] && (best == RECORD_KINDS ||
					     is_before(&lists[k][at[k]],
						       &lists[best][at[best]])))
				best = k;
		}
		out->found[out->n++] = lists[best][at[best]++];
	}
	return 0;
}

/* Open the index of the store S as number I, or renew the kept one. */
static int open_index(struct recall_state *rc, struct store *s, size_t i)
{
	struct index *ix = &rc->out->indexes[i];
	struct recall_kept *kept = rc->ask->kept;

	*ix = (struct index){0};
	if (!kept || i >= kept->n)
		return index_open(ix, s, 0, rc->e);
	*ix = kept->indexes[i];
	kept->indexes[i] = (struct index){0};
	return index_renew(ix, s, rc->e);
}

/* Return the kinds of records that ASK wants. */
static unsigned wanted_kinds(const struct recall_ask *ask)
{
	return ask->kinds ? ask->kinds : ANSWER_KIND(RECORD_MEMORY);
}

static int recall_by_index(struct store *const *stores, size_t n,
			   struct recall_state *rc)
{
	const struct recall_ask *ask = rc->ask;
	const unsigned kinds = wanted_kinds(ask);
	struct recall *out = rc->out;

	out->indexes = arena_alloc(rc->a, (n + 1) * sizeof(*out->indexes));
	for (; out->nindexes < n; out->nindexes++) {
		struct index *ix = &out->indexes[out->nindexes];
		struct store *s = stores[out->nindexes];

		if (ask->most && index_open_known(ix, s, ask->most))
			out->known = true;
		else if (open_index(rc, s, out->nindexes) < 0)
			return -1;
	}
	if (ask->opened)
		ask->opened(ask->ctx);
	open_encoder(out, ask);
	if (ask->prompt && search_prompt(rc, kinds) < 0)
		return -1;
	for (enum record_kind k = RECORD_KINDS; k-- > 0 && !ask->prompt;) {
		if (kinds & ANSWER_KIND(k) && search_kind(rc, k) < 0)
			return -1;
	}
	if (!ask->prompt && ask->mode == RECALL_AUTO && !rc->evidence &&
	    out->query.nterms)
		drop_hits(out);
	if (!rc->meant)
		out->mode = RECALL_FTS;
	if (compile_literal(rc) < 0)
		return -1;
	return kinds & ANSWER_KIND(RECORD_MEMORY) ? add_memories(rc) : 0;
}

/* Apply the penalties, and move each result down to its place. */
static void apply_penalties(struct recall *out)
{
	for (size_t i = out->n; i-- > 0;) {
		struct recall_found *f = &out->found[i];
		const double keeps = 1 - f->lost;

		if (keeps == 1)
			continue;
		f->lost = 0;
		f->score *= keeps;
		if (f->kind == RECORD_MEMORY)
			out->memories.items[f->i].score *= (float)keeps;
		for (; f + 1 < out->found + out->n && is_before(f + 1, f);
		     f++) {
			const struct recall_found next = f[1];

			f[1] = f[0];
			f[0] = next;
		}
	}
}

/* Add R to the memories like F, and keep at most MOST. */
static void add_like(struct recall_found *f, const struct record *r,
		     size_t most, struct arena *a)
{
	struct record_ref *items =
		(struct record_ref *)(uintptr_t)f->like.items;

	if (!items)
		items = arena_alloc(a, most * sizeof(*items));
	items[f->like.n++] =
		(struct record_ref){r->id, arena_strdup(a, r->created)};
	f->like.items = items;
}

/* Leave out memories that say nearly the same as a better one, and then all results
 * beyond those asked for. */
static void collapse(struct recall_state *rc)
{
	struct recall *out = rc->out;
	const size_t n = out->n < COMPARED ? out->n : COMPARED;
	struct record *records = arena_alloc(rc->a, (n + 1) * sizeof(*records));
	size_t *first = arena_alloc(rc->a, (n + 1) * sizeof(*first)), kept = 0;
	size_t end = 0;

	for (size_t i = 0; i < n; i++) {
		const struct recall_found *f = &out->found[i];

		records[i] = (struct record){.kind = f->kind};
		if (f->kind == RECORD_MEMORY)
			results_get(&out->memories, &out->memories.items[f->i],
				    rc->a, &records[i]);
	}
	similar_first(records, n, first);
	for (size_t i = 0; i < n; i++) {
		if (first[i] != i)
			add_like(&out->found[first[i]], &records[i], n, rc->a);
	}
	while (end < out->n && kept < rc->max) {
		kept += end >= n || first[end] == end;
		end++;
	}
	for (size_t i = 0; i < n; i++) {
		if (first[i] != i && first[i] < end)
			++*(out->found[i].partial ? &rc->like_partial
						  : &rc->like_whole);
	}
	kept = 0;
	for (size_t i = 0; i < end; i++) {
		if (i >= n || first[i] == i)
			out->found[kept++] = out->found[i];
	}
	out->n = kept;
}

/* Penalize memories that are about other files than the current one. */
static void check_paths(struct recall_state *rc)
{
	struct recall *out = rc->out;
	struct record r;

	for (size_t i = 0; i < out->n; i++) {
		struct recall_found *f = &out->found[i];

		if (f->kind != RECORD_MEMORY)
			continue;
		results_get(&out->memories, &out->memories.items[f->i], rc->a,
			    &r);
		if (recall_compare_paths(&r.keys, rc->ask->at) < 0)
			f->lost = 1 - (1 - f->lost) *
					      (1 - (double)WEIGHT_ELSEWHERE);
	}
}

/* Check the citations of the memories. Penalize those whose sources have
 * changed. */
static void check_cited(struct recall_state *rc, struct store *const *stores,
			size_t n)
{
	const struct evidence_limits limits = {CITED_HASHED, CITED_FILES};
	struct recall *out = rc->out;
	struct evidence **ev = mem_alloc((n + 1) * sizeof(struct evidence *));

	for (size_t i = 0; i < n; i++)
		ev[i] = evidence_new(&stores[i]->repo, limits);
	for (size_t i = 0; i < out->n; i++) {
		struct recall_found *f = &out->found[i];
		size_t k = 0;
		struct record r;

		if (f->kind != RECORD_MEMORY)
			continue;
		results_get(&out->memories, &out->memories.items[f->i], rc->a,
			    &r);
		while (k < n && (stores[k]->repo.root.scope != r.scope ||
				 stores[k]->elsewhere != r.elsewhere))
			k++;
		if (k < n)
			cited_note(stores[k], ev[k], &r, rc->a);
		f->evidence = r.evidence;
		f->drifted = r.drifted;
		if (f->drifted)
			f->lost = (double)WEIGHT_DRIFTED;
	}
	for (size_t i = 0; i < n; i++)
		evidence_free(ev[i]);
	free(ev);
}

/* Set which results are contradicted by others. */
static void check_contradicted(struct recall_state *rc)
{
	struct recall *out = rc->out;
	const size_t most =
		out->n < CONTRADICTED_MOST ? out->n : CONTRADICTED_MOST;
	struct record *records =
		arena_alloc(rc->a, (most + 1) * sizeof(*records));
	struct recall_found *of[CONTRADICTED_MOST];
	size_t n = 0;

	for (size_t i = 0; i < out->n && n < most; i++) {
		struct recall_found *f = &out->found[i];

		if (f->kind != RECORD_MEMORY)
			continue;
		results_get(&out->memories, &out->memories.items[f->i], rc->a,
			    &records[n]);
		of[n++] = f;
	}
	similar_contradicted_note(records, n, rc->a);
	for (size_t i = 0; i < n; i++) {
		of[i]->contradicts = records[i].contradicts;
		of[i]->contradicted_by = records[i].contradicted_by;
	}
}

/* Raise the totals to the number of results and of those like them: those found by
 * meaning are not in them. */
static void raise_totals(const struct recall_state *rc)
{
	struct recall *out = rc->out;
	size_t whole[RECORD_KINDS] = {[RECORD_MEMORY] = rc->like_whole},
	       partial[RECORD_KINDS] = {[RECORD_MEMORY] = rc->like_partial};

	for (size_t i = 0; i < out->n; i++)
		++*(out->found[i].partial ? &partial[out->found[i].kind]
					  : &whole[out->found[i].kind]);
	for (enum record_kind k = 0; k < RECORD_KINDS; k++) {
		struct display_total *t = &out->totals[k];

		t->whole = t->whole < whole[k] ? whole[k] : t->whole;
		t->partial = t->partial < partial[k] ? partial[k] : t->partial;
	}
}

/* Report articles that cannot be read. An index does this itself. */
static int report_articles(struct store *const *stores, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (store_report_articles(stores[i], e) < 0)
			return -1;
	}
	return 0;
}

/* Return true if the query is a text to find, since it has no word: "???". */
static bool is_symbols(const struct recall_state *rc)
{
	const struct query *q = &rc->out->query;

	return !q->nterms && !q->nnots && !query_narrows(q) && !rc->ask->prompt;
}

int recall(struct store *const *stores, size_t n,
	   const struct recall_ask *asked, struct arena *a, struct recall *out,
	   struct err *e)
{
	struct recall_ask ask = *asked;
	struct recall_state rc = {
		.out = out, .ask = &ask, .max = asked->max, .a = a, .e = e};
	const struct query *q = &out->query;
	const bool by_grep = ask.superseded || ask.as_of;
	const struct grep_recall grep = {ask.query, ask.max, ask.lifted,
					 ask.superseded, ask.as_of};
	int r;

	if (asked->max < COMPARED)
		ask.max += MORE;
	*out = (struct recall){.mode = by_grep ? RECALL_GREP : ask.mode,
			       .whole = ask.whole,
			       .kept = ask.kept};
	if (out->mode != RECALL_GREP)
		query_parse(&out->query, ask.query, strlen(ask.query), a);
	if (q->fault && !ask.words)
		return err_set(e, ERR_USAGE, "%s", q->fault);
	if (is_symbols(&rc))
		out->mode = RECALL_GREP;
	if (out->mode == RECALL_AUTO)
		out->mode = RECALL_HYBRID;
	if (out->mode == RECALL_GREP &&
	    !(wanted_kinds(&ask) & ANSWER_KIND(RECORD_MEMORY))) {
		r = 0;
	} else if (out->mode == RECALL_GREP) {
		r = grep_recall(stores, n, &grep, &out->memories, e);
	} else {
		out->memories = (struct results){.max = ask.max, .whole = true};
		r = recall_by_index(stores, n, &rc);
	}
	if (r == 0)
		r = merge_kinds(&rc);
	if (r == 0 && out->mode != RECALL_GREP)
		collapse(&rc);
	if (r == 0 && ask.cited)
		check_cited(&rc, stores, n);
	if (r == 0 && ask.at)
		check_paths(&rc);
	if (r == 0)
		apply_penalties(out);
	if (r == 0 && !ask.superseded)
		check_contradicted(&rc);
	for (unsigned who = PARALLEL_MAX; who-- > 0;)
		match_free(rc.literal[who]);
	if (r == 0 && out->mode == RECALL_GREP) {
		*(out->n && out->found[0].partial
			  ? &out->totals[RECORD_MEMORY].partial
			  : &out->totals[RECORD_MEMORY].whole) =
			out->memories.seen;
		r = by_grep ? 0 : report_articles(stores, n, e);
	}
	raise_totals(&rc);
	return r;
}

/* Set OUT to the record of F, a hit that is not a memory. */
static void get_hit(const struct recall *r, const struct recall_found *f,
		    struct arena *a, struct record *out)
{
	*out = answer_record(&r->answers[f->kind].hits[f->i], a);
	if (f->literal)
		out->score += RESULTS_LITERAL;
}

void recall_get(const struct recall *r, size_t i, struct arena *a,
		struct record *out)
{
	const struct recall_found *f = &r->found[i];
	const struct display_total *total = &r->totals[f->kind];
	struct snippet snippet;

	if (f->kind == RECORD_MEMORY)
		results_get(&r->memories, &r->memories.items[f->i], a, out);
	else
		get_hit(r, f, a, out);
	out->evidence = f->evidence;
	out->drifted = f->drifted;
	out->contradicts = f->contradicts;
	out->contradicted_by = f->contradicted_by;
	out->like = f->like;
	out->total = out->partial ? total->partial : total->whole;
	if (r->mode == RECALL_GREP)
		return;
	out->degraded = r->degraded;
	out->instead = r->instead[f->kind];
	if (out->content_len <= r->whole)
		return;
	snippet = rank_snippet(out->content, out->content_len, &r->query, a);
	out->snippet = snippet.text;
	out->matches = snippet.matches;
}

void recall_forget(struct recall_kept *k)
{
	for (size_t i = 0; i < k->n; i++)
		index_close(&k->indexes[i]);
	*k = (struct recall_kept){0};
}

void recall_release(struct recall *r)
{
	results_release(&r->memories);
	for (size_t i = 0; i < r->nindexes; i++) {
		if (!r->kept || i >= RECALL_KEPT) {
			index_close(&r->indexes[i]);
			continue;
		}
		index_rest(&r->indexes[i]);
		r->kept->indexes[i] = r->indexes[i];
		r->kept->n = i + 1 > r->kept->n ? i + 1 : r->kept->n;
	}
	r->nindexes = 0;
	semantic_close(&r->meaning);
}
