/* co-knowledge: list, show, check, compare and count memories. */
#include "article/article.h"
#include "cli/out.h"
#include "store/display.h"
#include "sys/execpath.h"

#include <unistd.h>

static bool list, summarize, check, fix, stats, reindex, diff, markdown, global,
	json, dry, evidence, used;
static const char *shown, *range, *since, *keep;
static bool unread; /* a store could not be read, so the list is incomplete */

static const struct opt opts[] = {
	FLAG(0, "list", &list, "list all memories of both stores, by id"),
	{OPT_STR, 0, "show", &shown, "ID", NULL, "print the memory ID"},
	FLAG(0, "check", &check,
	     "read everything and name each fault and its remedy"),
	FLAG(0, "fix", &fix,
	     "with --check, repair double ids, wrong places, plain files"),
	{OPT_STR, 0, "keep", &keep, "REV", NULL,
	 "with --fix, keep the ids of memories in the commit REV"},
	{OPT_STR, 0, "since", &since, "REV", NULL,
	 "with --check, report only faults that REV does not have"},
	FLAG(0, "evidence", &evidence,
	     "with --check, also report changed citations"),
	FLAG(0, "diff", &diff,
	     "show the changes between two commits, or since one"),
	FLAG(0, "markdown", &markdown, "with --diff, print a list in Markdown"),
	FLAG(0, "stats", &stats, "count memories by tag, source and month"),
	FLAG(0, "used", &used, "guess how often memories were used (--stats)"),
	FLAG(0, "summarize", &summarize,
	     "propose one memory for several that are alike"),
	FLAG(0, "reindex", &reindex, "rebuild the index of the memories"),
	FLAG(0, "global", &global, "work only on the user's store"),
	FLAG(0, "json", &json, "print JSON, one object a line"),
	OPT_DRY_RUN(&dry),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-knowledge",
	.summary = "list, check, compare and count memories",
	.synopsis = "--list [--global] [--json]\n"
		    "--show=ID [--global] [--json]\n"
		    "--check [--fix [--keep=REV] [-n]] [--since=REV|--global] "
		    "[--evidence] [--json] [-q]\n"
		    "--diff [--global] [--json|--markdown] [A|A..B|A...B]\n"
		    "--stats [--global] [--used] [--json]\n"
		    "--summarize [-n] [--global] [--json] [-q]\n"
		    "--reindex [--global] [--json]",
	.operands = "[A..B]",
	.opts = opts,
};

static void print_lines(const struct results *all, bool exists)
{
	struct arena a = {0};
	struct buf text = {0};
	struct record r;

	display_total(&text, all->n, exists);
	for (size_t i = 0; i < all->n; i++) {
		arena_reset(&a);
		results_get(all, &all->items[i], &a, &r);
		display_line(&text, &r, NULL);
		out_page(&text, false);
	}
	out_page(&text, true);
	arena_release(&a);
}

static void list_all(void)
{
	const struct out out = {.json = true, .detail = RECORD_TEXT};
	const struct grep_query everything = {0};
	struct results all = {.order = RESULTS_BY_ID, .whole = json};
	struct store s[2];
	struct article_counts articles = {0};
	struct buf count = {0};
	struct err e;
	bool exists = false;

	for (int user = global; user < 2; user++) {
		exists |= out_collect(&s[user], user, AREA_MEMORIES,
				      &everything, &all, &unread);
		if (!json && article_count(&s[user], &articles, &e) < 0)
			cli_complain(&e);
	}
	results_sort(&all);
	out_doubles(&all, false);
	if (json)
		out_found(&out, &all, false, SIZE_MAX);
	else if (all.n || (!unread && !cli_failed()))
		print_lines(&all, exists);
	if (articles.files) {
		buf_adds(&count, "\nTotal articles: ");
		article_count_text(&count, &articles);
		buf_addc(&count, '\n');
		out_buf(&count);
	}
	results_release(&all);
	for (int user = global; user < 2; user++)
		store_close(&s[user]);
}

/* Replace the process by PROGRAM, with the options given here. */
static void NORETURN exec_program(const char *program, const char *argv0)
{
	const struct {
		bool given;
		const char *option;
	} flags[] = {
		{fix, "--fix"},		{evidence, "--evidence"},
		{reindex, "--rebuild"}, {global, "--global"},
		{json, "--json"},	{dry, "--dry-run"},
		{cli_quiet, "--quiet"}, {markdown, "--markdown"},
		{since, "--since"},	{since, since},
		{keep, "--keep"},	{keep, keep},
		{used, "--used"},
	};
	const char *args[16] = {program};
	size_t n = 1;

	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (flags[i].given)
			args[n++] = flags[i].option;
	}
	if (shown || range) {
		args[n++] = "--";
		args[n++] = shown ? shown : range;
	}
	cli_exec(args, argv0);
}

/* End the process with 2 if the options contradict each other. N is the number
 * of operands. */
static void check_options(int n)
{
	int64_t id;

	if (list + check + diff + stats + summarize + reindex + !!shown != 1)
		cli_usage("say one of --list, --show=ID, --check, --diff, "
			  "--stats, --summarize and --reindex");
	if (!diff && (n || markdown))
		cli_usage("%s requires --diff",
			  n ? "a range of commits" : "--markdown");
	if ((dry && !fix && !summarize) || (cli_quiet && !check && !summarize))
		cli_usage("-n requires --fix or --summarize, -q requires "
			  "--check or --summarize");
	if (keep && !fix)
		cli_usage("--keep requires --fix");
	if ((fix || since || evidence) && !check)
		cli_usage("--%s requires --check", fix	   ? "fix"
						   : since ? "since"
							   : "evidence");
	if (used && !stats)
		cli_usage("--used requires --stats");
	if (shown && !store_is_id(shown, &id) &&
	    !store_is_global_id(shown, &id))
		cli_usage("--show wants the number of a memory, not '%s'",
			  shown);
}

int main(int argc, char **argv)
{
	const char *argv0 = argv[0];
	int n;

	range = *cli_start(&cmd, argc, argv, &n);
	check_options(n);
	if (!list)
		exec_program(check	 ? "co-knowledge-check"
			     : diff	 ? "co-knowledge-diff"
			     : stats	 ? "co-knowledge-stats"
			     : summarize ? "co-knowledge-summarize"
			     : reindex	 ? "co-index-update"
					 : "co-memory-show",
			     argv0);
	list_all();
	return cli_finish(0);
}
