/* co-recall: search memories, items, articles and conversations. */
#include "cli/out.h"
#include "cli/recalled.h"
#include "cli/stores.h"
#include "search/projects.h"
#include "search/recall.h"
#include "store/display.h"

static struct out out;
static size_t max = SIZE_MAX;
static const char *mode = "auto", *kind, *color, *for_path;
static struct out_filters filters;
static struct grep_query narrow; /* marks to include, and the date of --as-of */
static struct strings remote;
static bool explain, superseded, batch, everywhere;
static struct recalled_conversations turns = {.out = &out, .color = &color};

static const struct opt opts[] = {
	{OPT_COUNT, 'n', "max", &max, "N", NULL,
	 "print at most N answers; default: 5, or as set"},
	{OPT_WORD, 0, "kind", &kind, "KIND", "memory|item|article|conversation",
	 "find one kind; conversations need it"},
	{OPT_WORD, 0, "mode", &mode, "MODE", "auto|grep|fts|hybrid",
	 "search by words (fts), and by meaning (hybrid); or grep"},
	FLAG(0, "explain", &explain,
	     "print on standard error how it was searched"),
	FLAG(0, "batch", &batch,
	     "answer each line of standard input, and keep the index open"),
	FLAG(0, "superseded", &superseded,
	     "search the replaced memories instead"),
	OUT_FILTERS(&filters),
	OUT_HIDDEN(&filters),
	{OPT_STR, 0, "for-path", &for_path, "FILE", NULL,
	 "rank memories about files by FILE"},
	OPT_ALL_PROJECTS(&everywhere),
	OPT_REMOTE(&remote),
	FLAG(0, "all", &turns.all, "with --kind=conversation: of all projects"),
	OUT_OPTS(&out),
	OPT_COLOR(&color),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-recall",
	.summary = "search memories",
	.synopsis = "[-n N] [-t TAG]... [--not-tag=TAG]... [--since=DATE] "
		    "[--until=DATE] [--kind=KIND] [--mode=MODE] "
		    "[--superseded] [--expired] [--sensitive] [--any-scope] "
		    "[--as-of=DATE] [--for-path=FILE] [-A] "
		    "[--remote[=PROJECT]]... [--json|--format=TEMPLATE] [-z] "
		    "[--color=WHEN] [--explain] QUERY...\n"
		    "--kind=conversation [-n N] [--since=DATE] [--until=DATE] "
		    "[--all] [--json] [--color=WHEN] QUERY...\n"
		    "--batch [-n N] [--kind=KIND] [--mode=MODE] [-A] "
		    "[--remote[=PROJECT]]... [--json|--format=TEMPLATE] [-z]",
	.operands = "QUERY...",
	.input = "with --batch, questions as JSON lines",
	.opts = opts,
};

static struct recall_kept kept;
static struct recalled_stores stores = {.kept = &kept};

static bool is_ranked(void)
{
	return !superseded && !filters.as_of && strcmp(mode, "grep") != 0;
}

static bool answer_query(const struct recalled_question *q, const char *argv0,
			 struct arena *a)
{
	struct store *const own = &stores.items[0];
	struct projects all = {.indexed = true};
	const struct remote_part_ask far = {
		&remote, q->query, q->max, mode, own, argv0, cli_report()};
	struct remote_part beyond = {.asked = false};
	struct recall_ask ask = {
		.mode = recall_mode_of(mode),
		.query = q->query,
		.max = q->max,
		.kinds = superseded || filters.as_of ? 0
			 : q->kind ? ANSWER_KIND(record_kind_of(q->kind))
				   : ANSWER_ALL,
		.lifted = narrow.narrow.lifted |
			  (q->any_scope ? MARK_OTHER_LANGUAGE : 0),
		.superseded = superseded,
		.as_of = narrow.narrow.at,
		.at = root_relative(&own->repo.root, q->path, a),
		.cited = true,
		.explained = explain,
		.whole = out_plain(&out)		  ? DISPLAY_WHOLE_MAX
			 : out_uses(&out, RECORD_SNIPPET) ? 0
							  : SIZE_MAX,
		.kept = batch ? &kept : NULL,
		.argv0 = argv0,
		.report = cli_report()};
	const bool no_store =
		own->repo.root.fd < 0 && stores.items[1].repo.root.fd < 0;
	struct recall r;
	struct err e;
	bool found;

	if (is_ranked() && remote_part_begin(&beyond, &far, &e) < 0)
		cli_die(&e);
	projects_add(&all, own);
	projects_add(&all, &stores.items[1]);
	if (!superseded)
		projects_open_named(&all, own);
	if (everywhere)
		projects_open(&all, own);
	if (recall(all.items, all.n, &ask, a, &r, &e) < 0)
		cli_die(&e);
	remote_part_end(&beyond, q->kind);
	found = recalled_print(&(struct recalled){&r, &beyond, q, color,
						  stores.unread, ask.whole,
						  no_store},
			       &out);
	recalled_notes(&r, q, stores.items, mode, explain);
	remote_part_release(&beyond);
	recall_release(&r);
	projects_close(&all);
	return found;
}

/* Open both stores with their kept caches and answer Q. Return true if there is
 * an answer. */
static bool recall_once(struct recalled_question *q, const char *argv0,
			struct arena *a)
{
	bool found;

	recalled_open(&stores);
	if (q->max == SIZE_MAX)
		q->max = recalled_preset(stores.items, a);
	found = q->kind && *q->kind == 'c' ? recalled_conversations(&turns, q)
					   : answer_query(q, argv0, a);
	recalled_close(&stores, batch);
	return found;
}

static bool recall_line(void *ctx, const struct recalled_question *q,
			struct arena *a)
{
	struct recalled_question one = *q;

	one.max = q->max ? q->max : max;
	one.kind = q->kind ? q->kind : kind;
	one.path = q->path ? q->path : for_path;
	return recall_once(&one, ctx, a);
}

static void check_usage(void)
{
	if (turns.all && (!kind || *kind != 'c'))
		cli_usage("--all requires --kind=conversation");
	if (kind && *kind != 'm' && (filters.as_of || !strcmp(mode, "grep")))
		cli_usage("--mode=grep and --as-of find only memories");
	if (remote.n && !is_ranked())
		cli_usage("--remote requires a ranked search");
	turns.other = explain || remote.n || for_path || out.format ||
		      filters.tags.n || filters.not_tags.n ||
		      strcmp(mode, "auto") != 0;
	if (!max)
		cli_usage("-n wants a number from 1");
}

int main(int argc, char **argv)
{
	struct buf query = {0};
	int n;
	char **words = cli_start(&cmd, argc, argv, &n);
	struct recalled_question q = {.query = NULL};
	bool found = true;

	cli_join(&query, words);
	check_usage();
	out_filter(&narrow, &filters);
	if (out_filter_words(&query, &narrow, &filters) &&
	    (batch || !is_ranked()))
		cli_usage("only a ranked search chooses by tag or date");
	if (batch ? n > 0 : recalled_is_blank(query.p))
		cli_usage(batch ? "--batch reads what it is asked"
				: RECALLED_NOTHING);
	out_open(&out, &cli_arena);
	q.query = query.p;
	if (batch)
		recalled_answer(recall_line, argv[0]);
	else
		found = recall_line(argv[0], &q, &cli_arena);
	recalled_forget(&stores);
	buf_release(&query);
	return cli_finish(found ? ERR_NONE : ERR_NO);
}
