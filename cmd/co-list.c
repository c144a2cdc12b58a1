/* co-list: list the memories of both stores, newest first. */
#include "cli/choose.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "search/projects.h"
#include "sys/terminal.h"

#include <unistd.h>

static struct out out;
static struct out_filters filters;
static const char *sort = "created", *cites, *color;
static bool interactive, reverse, drafts, articles, trash, superseded, global,
	everywhere, contradicted;
static size_t max = SIZE_MAX;
static char **words;
static struct projects others;

static const struct opt opts[] = {
	OUT_FILTERS(&filters),
	OUT_HIDDEN(&filters),
	{OPT_STR, 0, "cites", &cites, "PLACE", NULL,
	 "select those that cite PATH, PATH:10-20, a URL or a commit"},
	FLAG(0, "contradicted", &contradicted,
	     "select those that contradict each other"),
	{OPT_WORD, 0, "sort", &sort, "KEY", "created|modified|size|id",
	 "sort by KEY, newest, largest or highest first"},
	FLAG('r', "reverse", &reverse, "reverse the order"),
	{OPT_COUNT, 'n', "max", &max, "N", NULL, "list at most N"},
	FLAG(0, "drafts", &drafts, "list drafts"),
	{.kind = OPT_OR},
	FLAG(0, "articles", &articles, "list articles"),
	{.kind = OPT_OR},
	FLAG(0, "trash", &trash, "list the trash"),
	{.kind = OPT_OR},
	FLAG(0, "superseded", &superseded, "list replaced memories"),
	FLAG(0, "global", &global, "list only the user's store"),
	OPT_ALL_PROJECTS(&everywhere),
	OPT_INTERACTIVE(&interactive),
	OUT_OPTS(&out),
	OPT_COLOR(&color),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-list",
	.summary = "list memories, newest first",
	.operands = "[WORD...]",
	.opts = opts,
	.habits = (const char *const[]){"--archive", "co list --expired", NULL},
};

/* Print a hint at the command that lists hidden memories, decides about the drafts of S,
 * both stores, or saves a memory. */
static void hint_first(struct store s[2])
{
	size_t hidden[2] = {0}, n[2] = {0};
	struct err e; /* of a store that cannot be read, already reported */

	for (int user = global; user < 2; user++) {
		store_count(&s[user], AREA_MEMORIES, &hidden[user], &e);
		store_count(&s[user], AREA_DRAFTS, &n[user], &e);
	}
	if (hidden[0] || hidden[1])
		cli_hint("'co list --expired --sensitive --any-scope' shows "
			 "hidden ones");
	if (n[0] || n[1])
		cli_hint("%zu %s: 'co review%s'", n[0] + n[1],
			 n[0] + n[1] == 1 ? "draft waits" : "drafts wait",
			 n[0] ? "" : " --global");
	else if (!hidden[0] && !hidden[1])
		cli_hint("'co learn %sTEXT' saves the first",
			 global ? "--global " : "");
}

/* Print why the list is empty, and a hint. */
static void explain_empty(bool exists, struct store s[2])
{
	const bool narrowed = filters.tags.n || filters.not_tags.n ||
			      filters.since || filters.until || filters.as_of ||
			      *words || cites || contradicted;

	if (narrowed)
		cli_note("no %s matches", articles ? "article" : "memory");
	else if (articles)
		cli_note("no articles");
	else if (drafts || trash)
		cli_note(drafts ? "no draft waits" : "the trash is empty");
	else if (superseded)
		cli_note("no memory was replaced");
	else
		cli_note(exists ? "no memories" : "no memories saved yet");
	if (narrowed)
		cli_hint(articles ? "'co list --articles' lists all"
				  : "'co tag' lists the tags, 'co list' all "
				    "memories");
	else if (!drafts && !trash && !articles && !superseded)
		hint_first(s);
}

/* Let the person choose one of ALL, and show it: replace the process by co-show. */
static void NORETURN show_chosen(struct results *all, const char *argv0)
{
	results_reorder(all, RESULTS_NEWEST);
	cli_exec((const char *const[]){"co-show", cli_pick(all, NULL, argv0),
				       NULL},
		 argv0);
}

static void print_found(struct results *all, bool exists, bool unread,
			struct store s[2])
{
	const bool by_date = !strcmp(sort, "created");
	const bool backward = reverse == by_date;

	if (by_date)
		results_reorder(all, RESULTS_NEWEST);
	else
		out_sort(all, sort);
	if (!trash)
		out_doubles(all, !drafts && !superseded && !articles);
	if (!out_plain(&out))
		out_found(&out, all, backward, max);
	else if (all->n)
		out_rows(&out, all, backward, max, color);
	else if (!unread && !cli_failed())
		explain_empty(exists, s);
}

static enum area choose_area(void)
{
	if (global && everywhere)
		cli_usage(PROJECTS_OR_GLOBAL);
	if (drafts + articles + trash + superseded > 1)
		cli_usage("--drafts, --articles, --trash and --superseded "
			  "exclude each other");
	if (interactive && (drafts + articles + trash + superseded ||
			    everywhere || !out_plain(&out)))
		cli_usage("-i chooses among the memories here, to show one");
	if (filters.as_of && drafts + articles + trash + superseded)
		cli_usage("--as-of requires a list of memories");
	out.detail = articles ? RECORD_LINE : RECORD_TEXT;
	return drafts	    ? AREA_DRAFTS
	       : articles   ? AREA_ARTICLES
	       : trash	    ? AREA_TRASH
	       : superseded ? AREA_ARCHIVE
			    : AREA_MEMORIES;
}

/* Append to ALL the records of AREA in both stores S and in others. Set *UNREAD if one
 * cannot be read. Return true if there is a store. */
static bool collect(struct store s[2], enum area area, struct results *all,
		    bool *unread)
{
	static struct grep_query query;
	bool exists = false;
	struct err e;

	out_filter(&query, &filters);
	for (int user = global; user < 2; user++)
		exists |=
			out_collect(&s[user], user, area, &query, all, unread);
	for (int user = global; trash && user < 2; user++) {
		if (grep_removed_articles(&s[user], &query, all, &e) == 0)
			continue;
		cli_complain(&e);
		*unread = true;
	}
	if (!global && (area == AREA_MEMORIES || area == AREA_ARTICLES))
		projects_open_named(&others, &s[0]);
	if (everywhere)
		projects_open(&others, &s[0]);
	projects_grep(&others, area, &query, all, NULL, &e);
	return exists || others.n;
}

int main(int argc, char **argv)
{
	struct results all = {.order = RESULTS_BY_ID};
	bool unread = false, exists;
	char *argv0 = argv[0];
	struct store s[2];
	enum area area;

	words = cli_start(&cmd, argc, argv, &argc);
	area = choose_area();
	out_open(&out, &cli_arena);
	all.whole = out_whole(&out) || *words || contradicted ||
		    terminal_columns(STDOUT_FILENO);
	exists = collect(s, area, &all, &unread);
	out_keep(&all, &s[global], words, cites, contradicted);
	if (interactive)
		show_chosen(&all, argv0);
	print_found(&all, exists, unread, s);
	results_release(&all);
	projects_close(&others);
	for (int user = global; user < 2; user++)
		store_close(&s[user]);
	return cli_finish(0);
}
