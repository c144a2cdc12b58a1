/* co-memory-grep: find memories whose text or tags match a pattern. */
#include "cli/out.h"
#include "cli/stores.h"
#include "search/projects.h"

static struct out out;
static struct out_filters filters;
static struct strings patterns;
static const char *color;
static bool sensitive, caseless, fixed, word, invert, count, names, lines,
	quiet, articles, superseded, global, everywhere;
static size_t max = SIZE_MAX;

static const struct opt opts[] = {
	FLAG('i', "ignore-case", &caseless, "ignore case, the default"),
	FLAG('s', "case-sensitive", &sensitive,
	     "distinguish upper and lower case"),
	{OPT_LIST, 'e', "regexp", &patterns, "PATTERN", NULL,
	 "find PATTERN, or any of several; all operands are PATHs then"},
	FLAG('F', "fixed-strings", &fixed,
	     "take PATTERN as text, not as an expression"),
	FLAG('w', "word-regexp", &word, "match whole words only"),
	FLAG('v', "invert-match", &invert,
	     "find the memories that do not match"),
	FLAG('c', "count", &count, "print how many"),
	FLAG('l', "files-with-matches", &names, "print paths, as without it"),
	FLAG('o', "lines", &lines,
	     "print the lines that match, as PATH:LINE:TEXT"),
	FLAG('q', "quiet", &quiet, "print nothing: the status is the answer"),
	OUT_FILTERS(&filters),
	OUT_HIDDEN(&filters),
	{OPT_COUNT, 'n', "max", &max, "N", NULL, "list only the newest N"},
	FLAG(0, "articles", &articles, "search articles"),
	FLAG(0, "superseded", &superseded, "search replaced memories"),
	OPT_GLOBAL(&global),
	OPT_ALL_PROJECTS(&everywhere),
	OUT_OPTS(&out),
	OPT_COLOR(&color),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-memory-grep",
	.summary = "find memories that match a pattern",
	.synopsis = "[-i|-s] [-F] [-w] [-v] [-c|-l|-o|-q] [-t TAG]... "
		    "[--not-tag=TAG]... [--since=DATE] [--until=DATE] [-n N] "
		    "[--articles|--superseded] [--expired] [--sensitive] "
		    "[--any-scope] [--as-of=DATE] [--global|-A] "
		    "[--json|--format=TEMPLATE] [-z] [--color=WHEN] "
		    "PATTERN|-e PATTERN... [PATH...]",
	.operands = "[PATTERN] [PATH...]",
	.input = "paths, one a line, where PATH is -",
	.opts = opts,
	.hint = "-F searches for the text as it is",
};

static struct grep_query query;

static void read_query(void)
{
	const bool one = patterns.n == 1;
	unsigned flags = (sensitive ? MATCH_CASE : 0u) |
			 (fixed && one ? MATCH_LITERAL : 0u) |
			 (word ? MATCH_WORD : 0u);
	struct buf pattern = {0};
	struct err e;

	if (one)
		buf_adds(&pattern, patterns.items[0]);
	else
		match_join(&pattern, patterns.items, patterns.n, fixed);
	out_filter(&query, &filters);
	query.invert = invert;
	if (match_new(&query.match, buf_str(&pattern), pattern.len, flags, &e) <
	    0)
		cli_die(&e);
	buf_release(&pattern);
}

/* Append the matching memories of ALL to FOUND, or only count them if it is
 * NULL. Return their number. */
static size_t grep_stores(const struct projects *all, struct results *found)
{
	const enum area area = articles	    ? AREA_ARTICLES
			       : superseded ? AREA_ARCHIVE
					    : AREA_MEMORIES;
	struct err e;
	size_t n = 0;

	if (projects_grep(all, area, &query, found, &n, &e) < 0)
		cli_die(&e);
	return found ? found->n : n;
}

/* Search PATHS, or the stores if there are none, and print the result. Return
 * the number of matches. */
static size_t print_matches(char **paths)
{
	struct results found = {.order = RESULTS_NEWEST,
				.max = max == SIZE_MAX ? 0 : max,
				.whole = out_whole(&out)};
	struct results *kept = count || quiet || !max ? NULL : &found;
	struct projects all = {0};
	struct store store;
	size_t n;

	if (!*paths) {
		cli_open_store(&store, global);
		projects_add(&all, &store);
	}
	if (everywhere)
		projects_open(&all, &store);
	n = *paths ? out_find_in_paths(paths, out.zero, &query, kept)
		   : grep_stores(&all, kept);

	n = n < max ? n : max;
	results_sort(&found);
	if (!*paths)
		out_doubles(&found, false);
	if (count && !quiet)
		cli_outf("%zu\n", n);
	else if (lines)
		out_matches(&found, query.match, out.zero, cli_colors(color));
	else if (!quiet)
		out_found(&out, &found, false, n);
	results_release(&found);
	projects_close(&all);
	if (!*paths)
		store_close(&store);
	return n;
}

static void check_usage(int n)
{
	if (!n && !patterns.n)
		cli_usage("a pattern is missing");
	if (caseless && sensitive)
		cli_usage("-i and -s exclude each other");
	if (count + names + lines + quiet > 1)
		cli_usage("-c, -l, -o and -q exclude each other");
	if (articles + superseded + (filters.as_of != NULL) > 1)
		cli_usage("--articles, --superseded, --as-of: one at most");
	if (lines && (invert || !out_plain(&out)))
		cli_usage("-o cannot be used with -v, --json or --format");
}

int main(int argc, char **argv)
{
	size_t found;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	check_usage(n);
	if (!patterns.n)
		strings_add(&patterns, *operands++);
	if (everywhere && (global || *operands))
		cli_usage(
			"--all-projects cannot be used with --global or PATHs");
	filters.expired |= *operands != NULL; /* a file named explicitly may be
					       * hidden */
	out_open(&out, &cli_arena);
	read_query();
	found = print_matches(operands);
	match_free(query.match);
	return cli_finish(found ? 0 : ERR_NO);
}
