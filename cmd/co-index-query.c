/* co-index-query: find documents, the best first. */
#include "cli/out.h"
#include "rank/snippet.h"
#include "search/explain.h"
#include "search/semantic.h"

static struct out out;
static const char *mode = "fts";
static size_t max = 10;
static bool explain, global;

static const struct opt opts[] = {
	{OPT_WORD, 0, "mode", &mode, "MODE", "fts|vector|hybrid",
	 "rank by words, as without it, by meaning, or by both"},
	{OPT_COUNT, 'n', "max", &max, "N", NULL,
	 "at most N files; 10 without it"},
	{OPT_FLAG, 0, "explain", &explain, NULL, NULL,
	 "say on standard error how it was searched"},
	OPT_GLOBAL(&global),
	OUT_OPTS(&out),
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[--mode=MODE] [-n N] [--explain] [--global] "
	"[--json|--format=TEMPLATE] [-z] QUERY...",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-index-query",
	.summary = "find documents, the best first",
	.synopsis = synopsis,
	.operands = "QUERY...",
	.opts = opts,
};

static struct arena arena;
static struct query question;
static struct semantic meaning;

static void print(const struct answer *answer)
{
	const bool snippets = out_uses(&out, RECORD_SNIPPET);
	struct buf snippet = {0}, matches = {0};
	const char *instead = answer_instead(answer, &arena);
	struct arena a = {0};

	for (size_t i = 0; i < answer->n; i++) {
		struct record r = answer_record(&answer->hits[i], &a);

		r.instead = instead;
		if (snippets) {
			buf_cut(&snippet, 0);
			buf_cut(&matches, 0);
			snippet_add(&snippet, &matches, r.content,
				    r.content_len, &question);
			r.snippet = buf_str(&snippet);
			r.matches = buf_str(&matches);
		}
		out_record(&out, &r);
		arena_reset(&a);
	}
	buf_release(&snippet);
	buf_release(&matches);
	arena_release(&a);
}

/* Search IX and print what is found; how many there are. */
static size_t search(struct index *ix, const char *query, const char *argv0)
{
	struct rank_ask ask = {.question = &question, .max = max};
	struct answer answer;
	struct buf notes = {0};
	struct err e;

	query_parse(&question, query, strlen(query), &arena);
	if (question.fault)
		cli_usage("%s", question.fault);
	semantic_open(&meaning, mode, argv0, cli_report());
	meaning.text = query;
	if (answer_find(ix, 1, ANSWER_ALL, &ask, &meaning.how, &arena, &answer,
			&e) < 0)
		cli_die(&e);
	explain_damage(&notes, ix, 1);
	if (*meaning.without)
		buf_addf(&notes, "%s\n", meaning.without);
	if (explain)
		explain_search(&notes, meaning.used ? mode : "fts", ix, 1,
			       &answer);
	print(&answer);
	for (size_t i = 0; explain && i < answer.n; i++) {
		explain_hit(&notes, &answer, i);
		out_notes(&notes);
	}
	out_notes(&notes);
	semantic_close(&meaning);
	return answer.n;
}

int main(int argc, char **argv)
{
	struct store store;
	struct index index;
	struct buf query = {0};
	struct err e;
	size_t found;
	int n;

	cli_join(&query, cli_start(&cmd, argc, argv, &n));
	if (!n)
		cli_usage("what shall be found?");
	out_open(&out, &arena);
	out_store(&store, global);
	if (index_open(&index, &store, 0, &e) < 0)
		cli_die(&e);
	found = search(&index, buf_str(&query), argv[0]);
	index_close(&index);
	store_close(&store);
	buf_release(&query);
	arena_release(&arena);
	return cli_finish(found ? ERR_NONE : ERR_NO);
}
