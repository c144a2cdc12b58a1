/* co-index-eval: measure how well questions find their known answers. */
#include "base/instant.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "search/evaluation.h"
#include "search/semantic.h"

static const char *queries, *qrels, *mode = "fts";
static struct strings least;
static size_t sample = SIZE_MAX;
static bool each, global, json;

static const struct opt opts[] = {
	{OPT_STR, 0, "queries", &queries, "FILE", NULL,
	 "read the questions from FILE, as JSON lines"},
	{OPT_STR, 0, "qrels", &qrels, "FILE", NULL,
	 "read the answers from FILE, as JSON lines"},
	{OPT_WORD, 0, "mode", &mode, "MODE", "fts|vector|hybrid",
	 "rank by words, as without it, by meaning, or by both"},
	{OPT_COUNT, 'n', "max", &sample, "N", NULL,
	 "ask about N of the questions, evenly picked"},
	{OPT_LIST, 0, "min", &least, "FIGURE:VALUE", NULL,
	 "end with 1 if FIGURE, such as recall5, is below VALUE"},
	FLAG(0, "each", &each,
	     "first print the rank of each question's first answer"),
	OPT_GLOBAL(&global),
	FLAG(0, "json", &json, "print JSON objects, one a line"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-index-eval",
	.summary = "measure how well searches find known answers",
	.synopsis = "--queries=FILE --qrels=FILE [--mode=MODE] [-n N] "
		    "[--min=FIGURE:VALUE]... [--each] [--global] [--json]",
	.opts = opts,
};

static struct semantic meaning;

static double now_ms(void)
{
	return (double)instant_monotonic_ns() / 1e6;
}

/* Return true if HIT is the file that a judgement calls NAME: an id, a file
 * name or the end of a path. */
static bool is_answer(const struct answer_hit *hit, const char *name)
{
	const struct view_doc d = answer_doc(hit);
	const size_t path = strlen(d.path), len = strlen(name);
	int64_t id;

	if (store_is_id(name, &id))
		return d.kind == VIEW_MEMORY && id == d.id;
	return path >= len && !strcmp(d.path + path - len, name) &&
	       (path == len || d.path[path - len - 1] == '/');
}

/* Print G and PLACE, the rank of its first answer from 1; 0: not found. */
static void print_place(const struct golden *g, size_t place)
{
	struct buf out = {0};

	if (json) {
		json_write_open(&out, NULL, '{');
		json_write_text(&out, "id", g->id);
		json_write_int(&out, "place", (int64_t)place);
		json_write_text(&out, "text", g->text);
		json_write_end(&out);
	} else if (place) {
		buf_addf(&out, "%zu %s %s\n", place, g->id, g->text);
	} else {
		buf_addf(&out, "- %s %s\n", g->id, g->text);
	}
	out_buf(&out);
}

/* Search for G as co-index-query does; the time includes reading the index. */
static struct outcome ask_question(struct store *store, const struct golden *g)
{
	struct query question;
	struct rank_ask asked = {.query = &question, .max = EVALUATION_DEPTH};
	struct outcome o = {.ms = now_ms()};
	struct answer answer;
	struct index index;
	struct arena a = {0};
	struct err e;
	size_t place = 0;

	meaning.text = g->text;
	query_parse(&question, g->text, strlen(g->text), &a);
	if (index_open(&index, store, 0, &e) < 0 ||
	    answer_find(&index, 1, ANSWER_ALL, 0, &asked, &meaning.how, &a,
			&answer, &e) < 0)
		cli_die(&e);
	o.ms = now_ms() - o.ms;
	for (size_t i = answer.n; i-- > 0;) {
		for (size_t k = 0; k < g->nanswers; k++)
			o.hits[i] |= is_answer(&answer.hits[i], g->answers[k]);
		place = o.hits[i] ? i + 1 : place;
	}
	index_close(&index);
	arena_release(&a);
	if (each)
		print_place(g, place);
	return o;
}

static void print_evaluation(const struct evaluation *v, const char *category)
{
	struct buf out = {0};

	if (json)
		evaluation_json(&out, v, category, mode);
	else
		evaluation_text(&out, v, category);
	out_buf(&out);
}

/* Return true if V reaches every --min, and print those it does not. With V
 * NULL, only check the syntax. End the process if that is wrong. */
static bool is_enough(const struct evaluation *v)
{
	const struct evaluation none = {0};
	bool enough = true;
	double value;
	struct err e;

	for (size_t i = 0; i < least.n; i++) {
		int meets = evaluation_meets(v ? v : &none, least.items[i],
					     &value, &e);

		if (meets < 0)
			cli_die(&e);
		if (v && !meets)
			cli_note("%s: only %.4f", least.items[i], value);
		enough &= meets;
	}
	return enough;
}

/* Search for all questions of G, and print the figures in total and per
 * category. Return true if every --min is reached. */
static bool evaluate_all(struct goldens *g)
{
	struct outcome *all =
		arena_alloc(&cli_arena, (g->n + 1) * sizeof(*all));
	struct evaluation v;
	struct store store;

	cli_open_store(&store, global);
	for (size_t i = 0; i < g->n; i++)
		all[i] = ask_question(&store, &g->items[i]);
	store_close(&store);
	v = evaluation_run(g, all, NULL);
	print_evaluation(&v, NULL);
	for (size_t i = 0; i < g->n; i++) {
		const char *category = g->items[i].category;
		struct evaluation of;

		if (!evaluation_opens_category(g, i))
			continue;
		of = evaluation_run(g, all, category);
		print_evaluation(&of, category);
	}
	return is_enough(&v);
}

int main(int argc, char **argv)
{
	struct goldens g;
	struct err e;
	bool enough;
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (!queries || !qrels)
		cli_usage("--queries and --qrels are needed");
	is_enough(NULL);
	if (evaluation_read(&g, queries, qrels, &cli_arena, &e) < 0)
		cli_die(&e);
	evaluation_pick(&g, sample);
	semantic_open(&meaning, mode, argv[0], cli_report());
	if (*meaning.without)
		cli_note("%s", meaning.without);
	enough = evaluate_all(&g);
	semantic_close(&meaning);
	return cli_finish(g.n && enough ? ERR_NONE : ERR_NO);
}
