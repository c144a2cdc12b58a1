/* similar-groups.c: each word gets a rank, rare words first. A text is then the
 * sorted ranks of its words.
 *
 * Two texts that share P per cent of their words share one of the first words of
 * both: if a text has N words, and fewer than P per cent of N follow a word, the
 * first shared word is not after it. So only these first words are listed, and
 * most texts that share only frequent words are never compared. The place of the
 * first shared word also limits how many words can be shared.
 */
#include "search/similar.h"

#include "base/mem.h"
#include "rank/alike.h"
#include "repo/marks.h"

#define COMPARED_MAX 200 /* a word in more texts does not make them alike */

struct text {
	struct record head;
	struct alike words; /* first hashes, then ranks */
	size_t n;	    /* of the words */
	uint32_t compared;  /* 1 + the text that it was last compared with */
	bool taken;	    /* it is in a group */
};

/* A word of a text. */
struct use {
	uint32_t word; /* its hash, until words are ranked */
	uint32_t text;
	size_t place; /* in the text: its index among the ranks */
};

/* A distinct word, and its uses. */
struct word {
	size_t at, n;
};

struct grouping {
	int percent;
	struct text *texts; /* by id */
	size_t ntexts;
	struct use *uses; /* by word, then by text */
	size_t nuses;
	struct word *words; /* by rank */
	size_t nwords;
	struct terms terms;
	struct arena arena;
	size_t cap;
};

static int add_text(void *ctx, const struct record *r)
{
	struct grouping *g = ctx;
	struct text *t;

	if (record_marks(r) & MARK_SENSITIVE ||
	    marks_now(&r->keys) & MARK_REPLACED)
		return 0;
	t = MEM_ADD(g->texts, g->ntexts, g->cap);
	*t = (struct text){.head = record_copy_head(r, &g->arena)};
	alike_read(&t->words, &g->terms, r->content, r->content_len);
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct text *x = a, *y = b;

	return record_by_id(&x->head, &y->head);
}

static int by_word(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->word != y->word)
		return x->word < y->word ? -1 : 1;
	return (x->text > y->text) - (x->text < y->text);
}

static int rare_first(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* List the uses of all words, and the words by rank. */
static void list_words(struct grouping *g)
{
	size_t cap = 0;

	for (size_t i = 0; i < g->ntexts; i++) {
		const struct alike *w = &g->texts[i].words;

		for (size_t k = 0; k < w->n; k++)
			*MEM_ADD(g->uses, g->nuses, cap) =
				(struct use){w->items[k], (uint32_t)i, 0};
	}
	MEM_SORT(g->uses, g->nuses, by_word);
	cap = 0;
	for (size_t i = 0; i < g->nuses; i++) {
		if (!i || g->uses[i].word != g->uses[i - 1].word)
			*MEM_ADD(g->words, g->nwords, cap) =
				(struct word){i, 0};
		g->words[g->nwords - 1].n++;
	}
	MEM_SORT(g->words, g->nwords, rare_first);
}

/* Return how many of the first words of T a text shares one of, if it is alike. */
static size_t first_words(const struct grouping *g, const struct text *t)
{
	const size_t least = (t->words.n * (size_t)g->percent + 99) / 100;

	return t->words.n - least + (least > 0);
}

/* Replace the hashes of all texts by ranks. In the uses of each word, leave only
 * the texts that have it among their first words. */
static void rank_words(struct grouping *g)
{
	for (size_t rank = 0; rank < g->nwords; rank++) {
		struct word *w = &g->words[rank];
		const struct use *uses = g->uses + w->at;
		const size_t n = w->n;
		struct use *out = g->uses + w->at;

		w->n = 0;
		for (size_t i = 0; i < n; i++) {
			struct text *t = &g->texts[uses[i].text];
			const size_t place = t->n++;

			t->words.items[place] = (uint32_t)rank;
			if (n <= COMPARED_MAX && place < first_words(g, t))
				out[w->n++] = (struct use){.text = uses[i].text,
							   .place = place};
		}
	}
}

/* Return true if two texts can be alike. One has A words and the other B; the first
 * A_BEFORE and B_BEFORE of these are not shared. */
static bool can_be_alike(const struct grouping *g, size_t a, size_t a_before,
			 size_t b, size_t b_before)
{
	const size_t x = a - a_before, y = b - b_before, both = x < y ? x : y;

	return both * 100 >= (size_t)g->percent * (a + b - both);
}

/* Compare text I, which has a word at PLACE, with the text of the use U. Add that
 * to OUT if it is alike and in no group. */
static void compare(struct grouping *g, size_t i, size_t place,
		    const struct use *u, struct similar_group *out)
{
	const struct alike *words = &g->texts[i].words;
	struct text *t = &g->texts[u->text];
	int like;

	if (t->taken || t->compared == i + 1)
		return;
	t->compared = (uint32_t)i + 1;
	if (!can_be_alike(g, words->n, place, t->words.n, u->place))
		return;
	like = alike_compare_least(words, &t->words, g->percent);
	if (like < g->percent)
		return;
	t->taken = true;
	out->members[out->n++] = &t->head;
	out->percent = like < out->percent ? like : out->percent;
}

/* Set OUT to text I and the texts after it that are alike and in no group. I is
 * higher than in the call before. */
static void find_group(struct grouping *g, size_t i, struct similar_group *out)
{
	const struct text *t = &g->texts[i];
	const size_t n = first_words(g, t);

	*out = (struct similar_group){
		.members = {&t->head}, .n = 1, .percent = 100};
	for (size_t place = 0; place < n; place++) {
		struct word *w = &g->words[t->words.items[place]];

		/* No later call needs the uses before I. */
		while (w->n && g->uses[w->at].text <= i) {
			w->at++;
			w->n--;
		}
		for (size_t k = 0; k < w->n && out->n < SIMILAR_GROUP; k++)
			compare(g, i, place, &g->uses[w->at + k], out);
	}
}

static int members_by_id(const void *a, const void *b)
{
	const struct record *const *x = a, *const *y = b;

	return record_by_id(*x, *y);
}

static int each_group(struct grouping *g, similar_group_fn *fn, void *ctx)
{
	struct similar_group group;
	int r = 0;

	MEM_SORT(g->texts, g->ntexts, by_id);
	list_words(g);
	rank_words(g);
	for (size_t i = 0; i < g->ntexts && !r; i++) {
		if (g->texts[i].taken)
			continue;
		find_group(g, i, &group);
		qsort(group.members, group.n, sizeof(*group.members),
		      members_by_id);
		if (group.n > 1)
			r = fn(ctx, &group);
	}
	return r;
}

int similar_groups(struct store *s, int percent, similar_group_fn *fn,
		   void *ctx, struct err *e)
{
	struct grouping g = {.percent = percent};
	const struct report *report = s->report;
	int r;

	s->report = NULL;
	r = store_each(s, AREA_MEMORIES, add_text, &g, e);
	s->report = report;
	if (!r)
		r = each_group(&g, fn, ctx);
	for (size_t i = 0; i < g.ntexts; i++)
		alike_release(&g.texts[i].words);
	free(g.texts);
	free(g.uses);
	free(g.words);
	terms_release(&g.terms);
	arena_release(&g.arena);
	return r;
}
