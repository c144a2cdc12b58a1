/* co-index-query: search documents, best match first. */
#include "base/strings.h"
#include "base/table.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "rank/rank.h"
#include "remote/remote.h"
#include "search/recall.h"
#include "search/semantic.h"
#include "sys/file.h"

#include <unistd.h>

static struct out out;
static const char *mode = "fts", *kind;
static size_t max = 10;
static bool explain, global;
static struct strings remote;
static struct remote_part beyond;

static const struct opt opts[] = {
	{OPT_WORD, 0, "mode", &mode, "MODE", "fts|vector|hybrid|auto",
	 "rank by words (default), by meaning, both, or as recall"},
	{OPT_WORD, 0, "kind", &kind, "KIND", "memory|item|article",
	 "find only memories, items or articles"},
	{OPT_COUNT, 'n', "max", &max, "N", NULL,
	 "print at most N files; default: 10"},
	FLAG(0, "explain", &explain,
	     "print on standard error how it was searched"),
	OPT_GLOBAL(&global),
	OPT_REMOTE(&remote),
	OUT_OPTS(&out),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-index-query",
	.summary = "search a store, best match first",
	.synopsis = "[--mode=MODE] [--kind=KIND] [-n N] [--explain] "
		    "[--global] [--remote[=PROJECT]]... "
		    "[--json|--format=TEMPLATE] [-z] QUERY...|-",
	.operands = "QUERY...",
	.input = "the QUERY, where it is -",
	.opts = opts,
};

static struct query question;
static struct semantic meaning;

/* Return true if the path of R is not in PATHS yet, and add it. */
static bool is_new(struct strings *paths, struct table *by_path,
		   const struct record *r)
{
	const size_t len = strlen(r->path);
	struct table_look k = table_look(by_path, r->path, len, 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (!strcmp(paths->items[i], r->path))
			return false;
	}
	strings_add(paths, arena_strdup(&cli_arena, r->path));
	table_put(by_path, r->path, len, 0, paths->n - 1);
	return true;
}

static void print_answer(const struct answer *answer)
{
	const bool snippets = out_uses(&out, RECORD_SNIPPET);
	struct snippet snippet;
	const char *instead = answer_instead(answer, &cli_arena);
	struct strings paths = {0};
	struct table by_path = {0};
	struct arena a = {0};

	for (size_t i = 0; i < answer->n; i++) {
		struct record r = answer_record(&answer->hits[i], &a);

		r.instead = instead;
		if (snippets) {
			snippet = rank_snippet(r.content, r.content_len,
					       &question, &a);
			r.snippet = snippet.text;
			r.matches = snippet.matches;
		}
		if (!out_plain(&out) || is_new(&paths, &by_path, &r))
			out_record(&out, &r);
		remote_part_drop(&beyond, &r);
		arena_reset(&a);
	}
	remote_part_finish(&beyond);
	for (size_t i = 0; i < beyond.answer.n; i++) {
		struct record r = remote_part_record(
			&beyond, i, snippets ? 0 : SIZE_MAX, &a);

		if (!out_plain(&out) || is_new(&paths, &by_path, &r))
			out_record(&out, &r);
		arena_reset(&a);
	}
	table_release(&by_path);
	free(paths.items);
	arena_release(&a);
}

/* Search IX for QUERY and print the answer. Return the number of hits. */
static size_t search(struct index *ix, const char *query, const char *argv0)
{
	const bool may_be_silent = !strcmp(mode, "auto");
	struct rank_ask ask = {.query = &question,
			       .max = max,
			       .telling = explain || may_be_silent};
	struct answer answer;
	const unsigned kinds =
		kind ? ANSWER_KIND(record_kind_of(kind)) : ANSWER_ALL;
	struct buf notes = {0};
	struct err e;

	query_parse(&question, query, strlen(query), &cli_arena);
	if (question.fault)
		cli_usage("%s", question.fault);
	if (may_be_silent)
		mode = "hybrid";
	semantic_open(&meaning, mode, argv0, cli_report());
	meaning.text = query;
	if (answer_find(ix, 1, kinds, 0, &ask, &meaning.how, &cli_arena,
			&answer, &e) < 0)
		cli_die(&e);
	if (may_be_silent && !recall_has_evidence(&answer, &meaning))
		answer.n = 0;
	recall_explain_damage(&notes, ix, 1);
	if (*meaning.without)
		buf_addf(&notes, "%s\n", meaning.without);
	if (explain)
		recall_explain_search(&notes, meaning.used ? mode : "fts", ix,
				      1, &answer);
	remote_part_end(&beyond, kind);
	print_answer(&answer);
	for (size_t i = 0; explain && i < answer.n; i++) {
		recall_explain_hit(&notes, &answer, i);
		out_notes(&notes);
	}
	out_notes(&notes);
	semantic_close(&meaning);
	return answer.n + beyond.answer.n;
}

static void read_query(struct buf *query, char **operands)
{
	struct err e;

	if (operands[1] || strcmp(operands[0], "-") != 0)
		cli_join(query, operands);
	else if (file_read_fd(STDIN_FILENO, "-", QUERY_BYTES_MAX, query, &e) <
		 0)
		cli_die(&e);
}

/* Ask the remote index for QUERY, if the user wants that. */
static void begin_remote(const char *query, struct store *own,
			 const char *argv0)
{
	const struct remote_part_ask ask = {&remote, query, max,	 mode,
					    own,     argv0, cli_report()};
	struct err e;

	if (remote.n && remote_part_begin(&beyond, &ask, &e) < 0)
		cli_die(&e);
}

int main(int argc, char **argv)
{
	struct store store;
	struct index index;
	struct buf query = {0};
	struct err e;
	size_t found;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (!n)
		cli_usage("expected a query");
	read_query(&query, operands);
	out_open(&out, &cli_arena);
	cli_open_store(&store, global);
	begin_remote(buf_str(&query), &store, argv[0]);
	if (index_open(&index, &store, 0, &e) < 0)
		cli_die(&e);
	found = search(&index, buf_str(&query), argv[0]);
	remote_part_release(&beyond);
	index_close(&index);
	store_close(&store);
	buf_release(&query);
	return cli_finish(found ? ERR_NONE : ERR_NO);
}
